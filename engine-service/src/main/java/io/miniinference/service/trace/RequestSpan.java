package io.miniinference.service.trace;

import org.jspecify.annotations.Nullable;

/// What is recorded of a request, or of one of its stages, for whoever collects traces.
public interface RequestSpan {

  /// Its place in the trace, for logs and answers.
  TraceContext context();

  /// Gives it another name, once more is known of the request.
  void rename(String name);

  void tag(String key, String value);

  /// Says that the service failed.
  void fail(String why);

  /// A stage that began at that time of [System#nanoTime].
  RequestSpan stage(String name, long fromNanos);

  /// Ends it at that time of [System#nanoTime]. The first end counts.
  void end(long nanos);

  /// That of the request which the current thread serves, null if none is recorded.
  static @Nullable RequestSpan current() {
    return LogContext.span();
  }
}
