package io.miniinference.service.inference;

import io.miniinference.device.DeviceException;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.service.admission.OverloadedException;
import io.miniinference.service.catalog.ModelNotReadyException;
import io.miniinference.service.catalog.UnknownModelException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/// Errors below `/v2` as the protocol wants them: `{"error": "…"}` and nothing else, since clients
/// reject other keys. Everything else is left to Spring.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class V2Errors implements HandlerExceptionResolver {
  private static final Logger LOG = LoggerFactory.getLogger(V2Errors.class);
  private static final String RETRY_AFTER_SECONDS = "1";

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception error) {
    String path = request.getRequestURI();
    if (!path.equals("/v2") && !path.startsWith("/v2/")) {
      return null;
    }
    if (!response.isCommitted()) {
      send(request, response, handler, error);
    }
    return new ModelAndView();
  }

  private static void send(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception error) {
    HttpStatus status = status(error, handler);
    response.reset();
    if (status == HttpStatus.SERVICE_UNAVAILABLE) {
      response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    if (status == HttpStatus.METHOD_NOT_ALLOWED
        && error instanceof HttpRequestMethodNotSupportedException verb) {
      response.setHeader(HttpHeaders.ALLOW, String.join(", ", allowed(verb)));
    }
    response.setStatus(status.value());
    write(response, message(request, error, status));
  }

  private static String[] allowed(HttpRequestMethodNotSupportedException verb) {
    String[] methods = verb.getSupportedMethods();
    return methods == null ? new String[0] : methods;
  }

  private static HttpStatus status(Exception error, @Nullable Object handler) {
    if (handler instanceof ResourceHttpRequestHandler) {
      return HttpStatus.NOT_FOUND;
    }
    return switch (error) {
      case InvalidRequestException _, RequestFailedException _, UncheckedIOException _ ->
          HttpStatus.BAD_REQUEST;
      case BodyTooLargeException _ -> HttpStatus.CONTENT_TOO_LARGE;
      case UnknownModelException _ -> HttpStatus.NOT_FOUND;
      case ModelNotReadyException _, OverloadedException _ -> HttpStatus.SERVICE_UNAVAILABLE;
      case HttpRequestMethodNotSupportedException _ -> HttpStatus.METHOD_NOT_ALLOWED;
      default -> HttpStatus.INTERNAL_SERVER_ERROR;
    };
  }

  private static String message(HttpServletRequest request, Exception error, HttpStatus status) {
    if (status == HttpStatus.NOT_FOUND && !(error instanceof UnknownModelException)) {
      return "there is nothing at " + request.getRequestURI();
    }
    return switch (error) {
      case DeviceException device -> {
        LOG.error("the device failed: {}", device.getMessage());
        yield "the device failed: " + device.getMessage();
      }
      default -> {
        if (status == HttpStatus.INTERNAL_SERVER_ERROR) {
          LOG.error("defect while answering {}", request.getRequestURI(), error);
        }
        yield String.valueOf(error.getMessage());
      }
    };
  }

  private static void write(HttpServletResponse response, String message) {
    var json = new java.io.ByteArrayOutputStream();
    try (JsonGenerator generator =
        V2Json.FACTORY.createGenerator(ObjectWriteContext.empty(), json)) {
      generator.writeStartObject();
      generator.writeStringProperty("error", message);
      generator.writeEndObject();
    }
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.setCharacterEncoding(StandardCharsets.UTF_8);
    response.setContentLength(json.size());
    try {
      json.writeTo(response.getOutputStream());
    } catch (IOException e) {
      LOG.debug("the client went away before its error was sent", e);
    }
  }
}
