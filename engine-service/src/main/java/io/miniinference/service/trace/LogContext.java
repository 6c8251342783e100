package io.miniinference.service.trace;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// What log lines say of the request that the current thread serves (`traceId`, `spanId` and
/// `requestId`), and the span that is recorded of it. Closing it takes that away.
final class LogContext implements AutoCloseable {
  static final String TRACE = "traceId";
  static final String SPAN = "spanId";
  static final String REQUEST = "requestId";

  private static final ThreadLocal<@Nullable Traced> CURRENT = new ThreadLocal<>();

  private final Map<String, String> before;

  private LogContext(@Nullable Map<String, String> before) {
    this.before = before == null ? Map.of() : before;
  }

  static LogContext of(Traced traced) {
    var context = new LogContext(MDC.getCopyOfContextMap());
    TraceContext trace = traced.trace();
    if (trace != null) {
      MDC.put(TRACE, trace.trace());
      MDC.put(SPAN, trace.span());
    }
    if (traced.id() != null) {
      MDC.put(REQUEST, traced.id());
    }
    CURRENT.set(traced);
    return context;
  }

  /// What is known of the request that the current thread serves, null if nothing is.
  static @Nullable Traced traced() {
    return CURRENT.get();
  }

  static @Nullable RequestSpan span() {
    Traced traced = traced();
    return traced == null ? null : traced.span();
  }

  @Override
  public void close() {
    CURRENT.remove();
    MDC.setContextMap(before);
  }
}
