package io.miniinference.spring.observe;

import io.miniinference.pool.MemoryPool;
import org.springframework.boot.actuate.endpoint.Producible;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/// The forms in which the pool is shown.
enum PoolFormat implements Producible<PoolFormat> {
  TEXT(MimeTypeUtils.TEXT_PLAIN_VALUE) {
    @Override
    String of(MemoryPool pool) {
      return PoolText.of(pool.statistics()) + "\n" + pool.memoryMap().text();
    }
  },
  JSON(MimeTypeUtils.APPLICATION_JSON_VALUE) {
    @Override
    String of(MemoryPool pool) {
      return "{\"statistics\":%s,\"map\":%s}"
          .formatted(PoolText.json(pool.statistics()), pool.memoryMap().json());
    }
  };

  private final String type;

  PoolFormat(String type) {
    this.type = type;
  }

  /// The pool as it is now.
  abstract String of(MemoryPool pool);

  @Override
  public MimeType getProducedMimeType() {
    return MimeType.valueOf(type);
  }

  @Override
  public boolean isDefault() {
    return this == JSON;
  }
}
