package io.miniinference.service.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.invoke.ParameterMappingException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/// What Spring refuses beside the protocols, of Actuator and of pages, as `{"error": "…"}` with
/// what is wrong. Else Spring asks the container for its page of errors, which names no parameter,
/// is another one on Actuator's own port, and ends the connection.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class SpringRefusals implements HandlerExceptionResolver {

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception error) {
    if (!(error instanceof ErrorResponse refusal) || response.isCommitted()) {
      return null;
    }
    response.setStatus(refusal.getStatusCode().value());
    refusal
        .getHeaders()
        .forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
    ErrorBody.write(response, message(request, error, refusal));
    return new ModelAndView();
  }

  private static String message(
      HttpServletRequest request, Exception error, ErrorResponse refusal) {
    if (error instanceof NoResourceFoundException || error instanceof NoHandlerFoundException) {
      return "there is nothing at " + request.getRequestURI();
    }
    if (error.getCause() instanceof ParameterMappingException wrong) {
      return "parameter '%s' is '%s', which is no %s"
          .formatted(
              wrong.getParameter().getName(),
              wrong.getValue(),
              wrong.getParameter().getType().getSimpleName());
    }
    String detail = refusal.getBody().getDetail();
    return detail == null ? reason(refusal.getStatusCode()) : detail;
  }

  private static String reason(HttpStatusCode status) {
    HttpStatus known = HttpStatus.resolve(status.value());
    return known == null ? "status " + status.value() : known.getReasonPhrase();
  }
}
