package io.miniinference.service.trace;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/// Spans of OpenTelemetry, exported in batches. A request is recorded if its client's trace is; of
/// those that come without a trace, a share is.
final class ExportedSpans implements Spans, AutoCloseable {
  private static final long LAST_EXPORT_SECONDS = 5;

  private final SdkTracerProvider provider;
  private final Tracer tracer;

  /// Spans for an endpoint, of a process with the properties of an environment.
  static ExportedSpans to(SpanExport export, Environment environment) {
    return new ExportedSpans(
        exporter(export).build(),
        environment.getProperty("management.tracing.sampling.probability", Double.class, 0.1),
        environment.getProperty("spring.application.name", "mini-inference-engine"),
        Binder.get(environment)
            .bind(
                "management.opentelemetry.resource-attributes",
                Bindable.mapOf(String.class, String.class))
            .orElse(Map.of()));
  }

  private static OtlpHttpSpanExporterBuilder exporter(SpanExport export) {
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(String.valueOf(export.endpoint()))
            .setTimeout(export.timeout())
            .setConnectTimeout(export.connectTimeout())
            .setCompression(export.compression());
    export.headers().forEach(exporter::addHeader);
    return exporter;
  }

  /// @param share of the requests without a trace that are recorded, from 0 to 1
  /// @param attributes of the process, such as `deployment.environment.name`
  ExportedSpans(
      SpanExporter exporter, double share, String service, Map<String, String> attributes) {
    provider =
        SdkTracerProvider.builder()
            .setResource(resource(service, attributes))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(share)))
            .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
            .build();
    tracer = provider.get("io.miniinference");
  }

  private static Resource resource(String service, Map<String, String> attributes) {
    AttributesBuilder all = Attributes.builder().put("service.name", service);
    attributes.forEach(all::put);
    return Resource.getDefault().merge(Resource.create(all.build()));
  }

  @Override
  public @Nullable RequestSpan begin(String name, @Nullable TraceContext parent) {
    var clock = SpanClock.now();
    Span span =
        tracer
            .spanBuilder(name)
            .setParent(parent == null ? Context.root() : context(parent))
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(clock.epochNanos(), TimeUnit.NANOSECONDS)
            .startSpan();
    return span.isRecording() ? new ExportedSpan(tracer, span, clock) : null;
  }

  private static Context context(TraceContext parent) {
    SpanContext remote =
        SpanContext.createFromRemoteParent(
            parent.trace(),
            parent.span(),
            TraceFlags.fromHex(parent.flags(), 0),
            TraceState.getDefault());
    return Context.root().with(Span.wrap(remote));
  }

  /// Exports what is left.
  @Override
  public void close() {
    provider.shutdown().join(LAST_EXPORT_SECONDS, TimeUnit.SECONDS);
  }
}
