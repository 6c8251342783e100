package io.miniinference.service.trace;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// What log lines say of the request that the current thread serves: `traceId`, `spanId` and
/// `requestId`. Closing it takes that away.
final class LogContext implements AutoCloseable {
  static final String TRACE = "traceId";
  static final String SPAN = "spanId";
  static final String REQUEST = "requestId";

  private final Map<String, String> before;

  private LogContext(@Nullable Map<String, String> before) {
    this.before = before == null ? Map.of() : before;
  }

  static LogContext of(@Nullable TraceContext trace, @Nullable String request) {
    var context = new LogContext(MDC.getCopyOfContextMap());
    if (trace != null) {
      MDC.put(TRACE, trace.trace());
      MDC.put(SPAN, trace.span());
    }
    if (request != null) {
      MDC.put(REQUEST, request);
    }
    return context;
  }

  @Override
  public void close() {
    MDC.setContextMap(before);
  }
}
