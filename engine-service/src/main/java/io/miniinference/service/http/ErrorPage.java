package io.miniinference.service.http;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.error.ErrorAttributeOptions;
import org.springframework.boot.webmvc.error.ErrorAttributes;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;

/// What the container refuses while a request is read, such as a broken chunk, in the words of the
/// protocol. Actuator's own port has another page, of Spring's, which asks here for what it shows.
@RestController
public final class ErrorPage implements ErrorController, ErrorAttributes {
  /// The request's attribute that holds why it was refused, where somebody knows.
  static final String WHY = "io.miniinference.why";

  /// Says why a request was refused whose answer the container has taken over.
  public static void tell(HttpServletRequest request, String why) {
    request.setAttribute(WHY, why);
  }

  @RequestMapping("/error")
  void error(HttpServletRequest request, HttpServletResponse response) {
    response.setStatus(status(request).value());
    ErrorBody.write(response, message(request));
  }

  /* Not there for whoever asks for the page itself. */
  private static HttpStatus status(HttpServletRequest request) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    HttpStatus known = status instanceof Integer code ? HttpStatus.resolve(code) : null;
    return known == null ? HttpStatus.NOT_FOUND : known;
  }

  private static String message(HttpServletRequest request) {
    if (request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) == null) {
      return "there is nothing at " + request.getRequestURI();
    }
    String why = why(request);
    return why == null ? status(request).getReasonPhrase() : why;
  }

  /// What was told of a request, null if nobody has told anything.
  static @Nullable String why(HttpServletRequest request) {
    return request.getAttribute(WHY) instanceof String why ? why : null;
  }

  @Override
  public Map<String, @Nullable Object> getErrorAttributes(
      WebRequest webRequest, ErrorAttributeOptions options) {
    if (!(webRequest instanceof ServletWebRequest web)) {
      return Map.of("error", HttpStatus.INTERNAL_SERVER_ERROR.getReasonPhrase());
    }
    HttpServletResponse response = web.getResponse();
    if (response != null) {
      response.setStatus(status(web.getRequest()).value());
    }
    return Map.of("error", message(web.getRequest()));
  }

  @Override
  public @Nullable Throwable getError(WebRequest request) {
    return (Throwable)
        request.getAttribute(RequestDispatcher.ERROR_EXCEPTION, WebRequest.SCOPE_REQUEST);
  }
}
