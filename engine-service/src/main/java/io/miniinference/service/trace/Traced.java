package io.miniinference.service.trace;

import org.jspecify.annotations.Nullable;

/// What is known of a request's trace.
///
/// @param trace the service's own place in it, if the client or this service records one
/// @param id that the client gave the request
/// @param span what is recorded of it, if it is
record Traced(@Nullable TraceContext trace, @Nullable String id, @Nullable RequestSpan span) {

  /// @param parent the header of the client's trace
  /// @param id the header of the request's identity
  /// @param spans begins a span of that name, if a request of this kind may be recorded
  static Traced of(
      @Nullable String parent, @Nullable String id, @Nullable String name, Spans spans) {
    TraceContext theirs = TraceContext.of(parent).orElse(null);
    RequestSpan span = name == null ? null : spans.begin(name, theirs);
    TraceContext own = theirs == null ? null : theirs.child();
    return new Traced(span == null ? own : span.context(), RequestId.of(id), span);
  }

  boolean isNothing() {
    return trace == null && id == null;
  }

  /// Says how it ended, unless nobody wants to know.
  void end(String key, String status, boolean failed) {
    if (span != null) {
      span.tag(key, status);
      if (failed) {
        span.fail(status);
      }
      span.end(System.nanoTime());
    }
  }
}
