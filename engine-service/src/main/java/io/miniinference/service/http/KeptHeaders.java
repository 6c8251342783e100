package io.miniinference.service.http;

import io.miniinference.service.trace.RequestId;
import io.miniinference.service.trace.TraceContext;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpHeaders;

/// The headers that an answer keeps when it is begun anew, as an error: those by which it is found
/// again in traces and logs, and those without which a browser shows it to no page.
public record KeptHeaders(Map<String, Collection<String>> values) {
  private static final List<String> NAMES =
      List.of(
          TraceContext.HEADER,
          RequestId.HEADER,
          HttpHeaders.VARY,
          HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN,
          HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS);

  /// Those of a response.
  public static KeptHeaders of(HttpServletResponse response) {
    Map<String, Collection<String>> values = new LinkedHashMap<>();
    for (String name : NAMES) {
      values.put(name, List.copyOf(response.getHeaders(name)));
    }
    return new KeptHeaders(values);
  }

  public void setOn(HttpServletResponse response) {
    values.forEach((name, all) -> all.forEach(value -> response.addHeader(name, value)));
  }
}
