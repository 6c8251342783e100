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

  /* Of a head that is too long. */
  private static String remedy(int status) {
    return status == HttpStatus.URI_TOO_LONG.value()
            || status == HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE.value()
        ? " (server.max-http-request-header-size)"
        : "";
  }

  @Override
  protected void report(Request request, Response response, @Nullable Throwable error) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    HttpStatus known = HttpStatus.resolve(status);
    String reason = known == null ? "status " + status : known.getReasonPhrase();
    byte[] body =
        ("{\"error\":\"" + reason + remedy(status) + "\"}").getBytes(StandardCharsets.UTF_8);
    try {
      response.setContentType("application/json");
      response.getOutputStream().write(body);
    } catch (IOException | IllegalStateException e) {
      // the client went away, or something was sent already
    }
  }
}
