package io.miniinference.service.observe;

import org.springframework.boot.actuate.endpoint.Producible;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/// The forms in which the pool is shown.
enum PoolFormat implements Producible<PoolFormat> {
  TEXT(MimeTypeUtils.TEXT_PLAIN),
  JSON(MimeTypeUtils.APPLICATION_JSON);

  private final MimeType type;

  PoolFormat(MimeType type) {
    this.type = type;
  }

  @Override
  public MimeType getProducedMimeType() {
    return type;
  }

  @Override
  public boolean isDefault() {
    return this == JSON;
  }
}
