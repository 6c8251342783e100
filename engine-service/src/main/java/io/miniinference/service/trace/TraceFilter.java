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

/// Takes the trace and the identity of a request over HTTP into log lines and the answer. Does
/// nothing for a request that has neither.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class TraceFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    @Nullable TraceContext trace =
        TraceContext.of(request.getHeader(TraceContext.HEADER))
            .map(TraceContext::child)
            .orElse(null);
    String id = RequestId.of(request.getHeader(RequestId.HEADER));
    if (trace == null && id == null) {
      chain.doFilter(request, response);
      return;
    }
    if (trace != null) {
      response.setHeader(TraceContext.HEADER, trace.header());
    }
    if (id != null) {
      response.setHeader(RequestId.HEADER, id);
    }
    try (LogContext _ = LogContext.of(trace, id)) {
      chain.doFilter(request, response);
    }
  }
}
