package io.miniinference.service.http;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/// What Tomcat itself refuses, as the protocol's `{"error": "…"}` instead of a page for people.
public final class PlainErrorValve extends ErrorReportValve {

  private static String message(int status, Request request) {
    String why = ErrorPage.why(request);
    HttpStatus known = HttpStatus.resolve(status);
    if (why != null || known == null) {
      return why == null ? "status " + status : why;
    }
    return switch (known) {
      case BAD_REQUEST -> BadRequests.why(request);
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
    try {
      ErrorBody.write(response, message(status, request));
    } catch (IllegalStateException e) {
      // something was sent already
    }
  }
}
