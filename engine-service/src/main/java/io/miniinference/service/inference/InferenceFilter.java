package io.miniinference.service.inference;

import io.miniinference.service.trace.RequestSpan;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.ServerHttpObservationFilter;

/// Answers requests for inferences ahead of Spring's dispatch, which costs more than a small model:
/// only traces, observation and the look at a page's origin come before. Every other request, and
/// verbs that inference does not have, go on to the controllers.
@Component
@FilterRegistration(
    order = Ordered.HIGHEST_PRECEDENCE + 3,
    urlPatterns = {"/v2/models/*", "/v1/models/*"})
final class InferenceFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private final transient InferController infer;
  private final transient PredictController predict;
  private final transient V2Errors errors;
  private final transient InferenceObservation observation;

  InferenceFilter(
      InferController infer,
      PredictController predict,
      V2Errors errors,
      InferenceObservation observation) {
    this.infer = infer;
    this.predict = predict;
    this.errors = errors;
    this.observation = observation;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain others)
      throws IOException, ServletException {
    InferencePath path = InferencePath.of(request);
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
    long start = System.nanoTime();
    try {
      serve(path, request, response);
    } catch (Exception e) {
      errors.resolveException(request, response, null, e);
    } catch (Error e) {
      errors.resolveException(request, response, null, new ServletException("it failed", e));
    }
    observation.answered(path, response.getStatus(), System.nanoTime() - start);
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
