package io.miniinference.service.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/// What Tomcat itself refuses, as the protocol's `{"error": "…"}` instead of a page for people.
public final class PlainErrorValve extends ErrorReportValve {

  private static String message(int status, Request request) {
    HttpStatus known = HttpStatus.resolve(status);
    if (known == null) {
      return "status " + status;
    }
    return switch (known) {
      case BAD_REQUEST ->
          AddressValve.isReadable(request) ? known.getReasonPhrase() : AddressValve.MESSAGE;
      case URI_TOO_LONG, REQUEST_HEADER_FIELDS_TOO_LARGE ->
          known.getReasonPhrase() + " (server.max-http-request-header-size)";
      default -> known.getReasonPhrase();
    };
  }

  @Override
  protected void report(Request request, Response response, @Nullable Throwable error) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    byte[] body =
        ("{\"error\":\"" + message(status, request) + "\"}").getBytes(StandardCharsets.UTF_8);
    try {
      response.setContentType("application/json");
      response.getOutputStream().write(body);
    } catch (IOException | IllegalStateException e) {
      // the client went away, or something was sent already
    }
  }
}
