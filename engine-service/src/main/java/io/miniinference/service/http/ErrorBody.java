package io.miniinference.service.http;

import io.miniinference.service.json.JsonWriter;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;

/// The protocol's `{"error": "…"}`, as bytes of UTF-8 that are not flushed: what is sent before the
/// application returns tells Tomcat to close the connection ([KeepAliveProtocol]).
public final class ErrorBody {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorBody.class);

  private ErrorBody() {}

  /// Writes the body of an answer whose status is set. A client that went away misses it.
  public static void write(HttpServletResponse response, String message) {
    var json = new JsonWriter(64 + message.length());
    json.beginObject();
    json.property("error", message);
    json.endObject();
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    try {
      json.writeTo(response.getOutputStream());
    } catch (IOException e) {
      LOG.debug("the client went away before its error was sent", e);
    }
  }
}
