package io.miniinference.service.trace;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// Takes the trace and the identity of a request over HTTP into log lines, the answer and the span
/// that is recorded of an inference. Does nothing for a request that has none of them.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class TraceFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final int FAILURES = 500;

  private final transient Spans spans;

  TraceFilter(Spans spans) {
    this.spans = spans;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Traced traced =
        Traced.of(
            request.getHeader(TraceContext.HEADER),
            request.getHeader(RequestId.HEADER),
            nameOf(request),
            spans);
    if (traced.isNothing()) {
      chain.doFilter(request, response);
      return;
    }
    tell(traced, response);
    try (LogContext _ = LogContext.of(traced)) {
      chain.doFilter(request, response);
    } finally {
      int status = response.getStatus();
      traced.end("http.response.status_code", Integer.toString(status), status >= FAILURES);
    }
  }

  /* Of inferences, which may be recorded: a probe every second is not worth a span. */
  private static @Nullable String nameOf(HttpServletRequest request) {
    String path = request.getServletPath();
    boolean isInference = path.startsWith("/v2/models/") || path.startsWith("/v1/models/");
    return isInference && request.getMethod().equals("POST") ? "POST" : null;
  }

  private static void tell(Traced traced, HttpServletResponse response) {
    if (traced.trace() != null) {
      response.setHeader(TraceContext.HEADER, traced.trace().header());
    }
    if (traced.id() != null) {
      response.setHeader(RequestId.HEADER, traced.id());
    }
  }
}
