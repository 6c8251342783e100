package io.miniinference.service.http;

import java.util.Collections;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Request;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/// Why Tomcat calls a request a bad one, told from the request: it keeps the reason to itself.
final class BadRequests {
  private static final Pattern ENCODED = Pattern.compile("%2f|%5c|%00", Pattern.CASE_INSENSITIVE);

  private BadRequests() {}

  /// What is wrong with a request, or the words of the status where that does not show.
  static String why(Request request) {
    if (!AddressValve.isReadable(request)) {
      return AddressValve.MESSAGE;
    }
    String address = request.getRequestURI();
    if (address == null) {
      return "the request's first line is none of HTTP: an address has letters, digits and signs of"
          + " ASCII, and all else percent-encoded";
    }
    if (ENCODED.matcher(address).find()) {
      return "the address's path has an encoded slash, backslash or zero byte (%2F, %5C, %00), which"
          + " no name here has";
    }
    String twice = twice(request);
    return twice == null ? HttpStatus.BAD_REQUEST.getReasonPhrase() : twice;
  }

  private static @Nullable String twice(Request request) {
    for (String name : new String[] {HttpHeaders.HOST, HttpHeaders.CONTENT_LENGTH}) {
      int count = Collections.list(request.getHeaders(name)).size();
      if (count > 1) {
        return "the request has the header %s %d times".formatted(name, count);
      }
    }
    boolean needsHost =
        "HTTP/1.1".equals(String.valueOf(request.getProtocol()).toUpperCase(Locale.ROOT));
    return needsHost && request.getHeader(HttpHeaders.HOST) == null
        ? "the request has no header Host, which HTTP/1.1 wants"
        : null;
  }
}
