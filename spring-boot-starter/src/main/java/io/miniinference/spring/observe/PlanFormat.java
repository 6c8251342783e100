package io.miniinference.spring.observe;

import io.miniinference.runtime.PlanReport;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.Producible;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/// The forms in which a plan is shown.
enum PlanFormat implements Producible<PlanFormat> {
  SVG("image/svg+xml"),
  TEXT(MimeTypeUtils.TEXT_PLAIN_VALUE),
  JSON(MimeTypeUtils.APPLICATION_JSON_VALUE);

  private final String type;

  PlanFormat(String type) {
    this.type = type;
  }

  String of(PlanReport plan) {
    return switch (this) {
      case JSON -> plan.json();
      case SVG -> plan.svg();
      case TEXT -> plan.text();
    };
  }

  /// The format of a name: `svg`, `text` or `json`.
  static PlanFormat named(String name) {
    for (PlanFormat format : values()) {
      if (format.name().equalsIgnoreCase(name)) {
        return format;
      }
    }
    String unknown = "format '" + name + "' is none of svg, text, json";
    throw new InvalidEndpointRequestException(unknown, unknown);
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
