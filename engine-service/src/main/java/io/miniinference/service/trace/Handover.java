package io.miniinference.service.trace;

import java.util.function.Consumer;

/// Takes a request from the thread that serves it to another one.
public final class Handover {
  private Handover() {}

  /// Work for the request that the current thread serves, to be done on another thread: log lines
  /// say there what they say here, and the request's span is at hand.
  public static Runnable of(Runnable work) {
    Traced traced = LogContext.traced();
    return traced == null
        ? work
        : () -> {
          try (LogContext _ = LogContext.of(traced)) {
            work.run();
          }
        };
  }

  /// As above, for work on a value.
  public static <T> Consumer<T> of(Consumer<T> work) {
    Traced traced = LogContext.traced();
    return traced == null
        ? work
        : value -> {
          try (LogContext _ = LogContext.of(traced)) {
            work.accept(value);
          }
        };
  }
}
