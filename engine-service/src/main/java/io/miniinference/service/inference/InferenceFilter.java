package io.miniinference.service.inference;

import io.miniinference.service.trace.RequestSpan;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.ServerHttpObservationFilter;

/// Answers requests for inferences ahead of Spring's dispatch, which costs more than a small model:
/// it is the last filter, so metrics, traces and what else looks at all requests come before. Every
/// other request, and verbs that inference does not have, go on to the controllers.
@Component
@FilterRegistration(
    order = Ordered.LOWEST_PRECEDENCE,
    urlPatterns = {"/v2/models/*", "/v1/models/*"})
final class InferenceFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private final transient InferController infer;
  private final transient PredictController predict;
  private final transient V2Errors errors;

  InferenceFilter(InferController infer, PredictController predict, V2Errors errors) {
    this.infer = infer;
    this.predict = predict;
    this.errors = errors;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain others)
      throws IOException, ServletException {
    InferencePath path = pathOf(request);
    if (path == null) {
      others.doFilter(request, response);
      return;
    }
    ServerHttpObservationFilter.findObservationContext(request)
        .ifPresent(observed -> observed.setPathPattern(path.pattern().text()));
    RequestSpan span = RequestSpan.current();
    if (span != null) {
      span.rename("POST " + path.pattern().text());
    }
    try {
      serve(path, request, response);
    } catch (Exception e) {
      errors.resolveException(request, response, null, e);
    } catch (Error e) {
      errors.resolveException(request, response, null, new ServletException("it failed", e));
    }
  }

  private static @Nullable InferencePath pathOf(HttpServletRequest request) {
    return request.getMethod().equals("POST") ? InferencePath.of(request.getServletPath()) : null;
  }

  private void serve(InferencePath path, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (path.pattern()) {
      case V2_INFER, V2_INFER_VERSION ->
          infer.infer(path.model(), path.version(), request, response);
      case V1_PREDICT -> predict.predict(path.model(), request, response);
    }
  }
}
