package io.miniinference.service.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.concurrent.TimeUnit;

/// A span of OpenTelemetry.
///
/// @param clock of its request
record ExportedSpan(Tracer tracer, Span span, SpanClock clock) implements RequestSpan {

  @Override
  public TraceContext context() {
    SpanContext own = span.getSpanContext();
    return new TraceContext(own.getTraceId(), own.getSpanId(), own.getTraceFlags().asHex());
  }

  @Override
  public void rename(String name) {
    span.updateName(name);
  }

  @Override
  public void tag(String key, String value) {
    span.setAttribute(key, value);
  }

  @Override
  public void fail(String why) {
    span.setStatus(StatusCode.ERROR, why);
  }

  @Override
  public RequestSpan stage(String name, long fromNanos) {
    Span stage =
        tracer
            .spanBuilder(name)
            .setParent(Context.root().with(span))
            .setStartTimestamp(clock.epochNanosAt(fromNanos), TimeUnit.NANOSECONDS)
            .startSpan();
    return new ExportedSpan(tracer, stage, clock);
  }

  @Override
  public void end(long nanos) {
    span.end(clock.epochNanosAt(nanos), TimeUnit.NANOSECONDS);
  }
}
