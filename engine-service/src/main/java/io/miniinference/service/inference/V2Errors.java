package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.admission.OverloadedException;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.http.ErrorBody;
import io.miniinference.service.http.ErrorPage;
import io.miniinference.service.http.KeptHeaders;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.Failure;
import io.miniinference.service.serving.ServingException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/// Errors below `/v2` and `/v1` as the protocol wants them: `{"error": "…"}` and nothing else,
/// since clients reject other keys. Everything else is left to Spring.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class V2Errors implements HandlerExceptionResolver {
  /// A client that asks again later is told the same.
  private static final Set<ErrorKind> FOR_GOOD =
      Set.of(ErrorKind.TOO_SMALL_POOL, ErrorKind.NOT_LOADED);

  private static final String RETRY_AFTER_SECONDS = "1";
  private static final Set<Integer> COME_AGAIN = Set.of(429, 503);

  private final int fullStatus;

  V2Errors(EngineProperties properties) {
    fullStatus = properties.queue().fullStatus();
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception error) {
    String path = request.getServletPath(); // decoded: the same however it is written
    if (!path.equals("/v2") && !path.startsWith("/v2/") && !path.startsWith("/v1/")) {
      return null;
    }
    if (!response.isCommitted()) {
      send(request, response, handler, error);
    } else if (error instanceof ServingException || error instanceof InvalidRequestException) {
      ErrorPage.tell(request, String.valueOf(error.getMessage()));
    }
    return new ModelAndView();
  }

  private void send(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception error) {
    Failure failure = failure(request, error, handler);
    KeptHeaders kept = KeptHeaders.of(response);
    response.reset();
    kept.setOn(response);
    int status = status(failure, error);
    if (COME_AGAIN.contains(status) && !FOR_GOOD.contains(failure.kind())) {
      response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    if (failure.kind() == ErrorKind.UNAUTHENTICATED) {
      response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    if (failure.kind() == ErrorKind.WRONG_VERB
        && error instanceof HttpRequestMethodNotSupportedException verb) {
      response.setHeader(HttpHeaders.ALLOW, String.join(", ", allowed(verb)));
    }
    response.setStatus(status);
    ErrorBody.write(response, failure.message());
  }

  private int status(Failure failure, Exception error) {
    return error instanceof OverloadedException overloaded
            && overloaded.reason() == OverloadedException.Reason.FULL
        ? fullStatus
        : failure.kind().httpStatus();
  }

  private static String[] allowed(HttpRequestMethodNotSupportedException verb) {
    String[] methods = verb.getSupportedMethods();
    return methods == null ? new String[0] : methods;
  }

  private static Failure failure(
      HttpServletRequest request, Exception error, @Nullable Object handler) {
    if (handler instanceof ResourceHttpRequestHandler
        || error instanceof NoResourceFoundException) {
      return unofferedOr(
          request,
          new Failure(ErrorKind.NOT_FOUND, "there is nothing at " + request.getRequestURI()));
    }
    if (error instanceof HttpRequestMethodNotSupportedException verb) {
      return unofferedOr(
          request,
          new Failure(
              ErrorKind.WRONG_VERB,
              "method '%s' is not for this address, which takes %s"
                  .formatted(verb.getMethod(), String.join(", ", allowed(verb)))));
    }
    return Failure.of(error, request.getRequestURI());
  }

  private static Failure unofferedOr(HttpServletRequest request, Failure other) {
    return UnofferedPages.at(request.getServletPath())
        .map(why -> new Failure(ErrorKind.UNSUPPORTED, why))
        .orElse(other);
  }
}
