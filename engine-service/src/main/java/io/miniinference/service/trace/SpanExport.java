package io.miniinference.service.trace;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Where spans go: properties of Spring Boot's, `management.opentelemetry.tracing.export.otlp.*`.
///
/// @param endpoint URL that takes spans as OTLP over HTTP, such as
///   `http://collector:4318/v1/traces`
/// @param timeout of one export
/// @param connectTimeout of its connection
/// @param compression `gzip` or `none`
/// @param headers that go with each export
record SpanExport(
    @Nullable String endpoint,
    @DefaultValue("10s") Duration timeout,
    @DefaultValue("10s") Duration connectTimeout,
    @DefaultValue("none") String compression,
    @DefaultValue Map<String, String> headers) {
  static final String PREFIX = "management.opentelemetry.tracing.export.otlp";

  /// Without the headers, which may have secrets.
  @Override
  public String toString() {
    return "SpanExport[endpoint=" + endpoint + "]";
  }
}
