package io.miniinference.service.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/// Answers 400 where what follows an address's `?` is no list of names and values (`?=2`,
/// `?name=%zz`). Tomcat tells so by an exception once Actuator asks for parameters, which would
/// else be logged with its stack trace for each such request.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnreadableParameters implements HandlerExceptionResolver {
  private static final String MESSAGE =
      "what follows the ? of the address is no list of NAME=VALUE with & between them";

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception error) {
    if (!(error instanceof InvalidParameterException)) {
      return null;
    }
    response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
    ErrorBody.write(response, MESSAGE);
    return new ModelAndView();
  }
}
