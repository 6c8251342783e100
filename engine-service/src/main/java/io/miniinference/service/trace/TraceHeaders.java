package io.miniinference.service.trace;

import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The headers by which an answer is found again in traces and logs. An answer that is begun anew,
/// as an error, keeps them.
public record TraceHeaders(Map<String, String> values) {
  private static final List<String> NAMES = List.of(TraceContext.HEADER, RequestId.HEADER);

  /// Those of a response.
  public static TraceHeaders of(HttpServletResponse response) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String name : NAMES) {
      String value = response.getHeader(name);
      if (value != null) {
        values.put(name, value);
      }
    }
    return new TraceHeaders(values);
  }

  public void setOn(HttpServletResponse response) {
    values.forEach(response::setHeader);
  }
}
