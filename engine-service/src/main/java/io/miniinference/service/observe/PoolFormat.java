package io.miniinference.service.observe;

import org.springframework.boot.actuate.endpoint.Producible;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/// The forms in which the pool is shown.
enum PoolFormat implements Producible<PoolFormat> {
  TEXT(MimeTypeUtils.TEXT_PLAIN_VALUE),
  JSON(MimeTypeUtils.APPLICATION_JSON_VALUE);

  private final String type;

  PoolFormat(String type) {
    this.type = type;
  }

  @Override
  public MimeType getProducedMimeType() {
    return MimeType.valueOf(type);
  }

  @Override
  public boolean isDefault() {
    return this == JSON;
  }
}
