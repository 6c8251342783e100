package io.miniinference.service.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.http.HttpStatus;

/// Has Spring see the path that Tomcat maps where that has several slashes in a row, as of a base
/// address that ends in one and a path that begins with one: without it they are served by what
/// asks Tomcat for the path, and are nothing to what asks Spring. And answers 400 where a `%` of
/// the address's path is not followed by two hexadecimal digits. Tomcat refuses such a path but for
/// its parameters (`/v2;%zz`), over which Spring fails with status 500.
final class AddressValve extends ValveBase {
  static final String MESSAGE =
      "a % of the address has no two hexadecimal digits behind it (% itself is %25)";

  AddressValve() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    if (response.isError() || isReadable(request)) {
      joinSlashes(request);
      getNext().invoke(request, response);
      return;
    }
    response.setStatus(HttpStatus.BAD_REQUEST.value());
    ErrorBody.write(response, MESSAGE);
  }

  private static void joinSlashes(Request request) {
    String address = request.getRequestURI();
    if (address != null && address.contains("//")) {
      request.getCoyoteRequest().requestURI().setString(address.replaceAll("/{2,}", "/"));
    }
  }

  /// Whether its path, with its parameters, can be decoded.
  static boolean isReadable(Request request) {
    String address = request.getRequestURI();
    return address == null || isReadable(address);
  }

  private static boolean isReadable(String address) {
    for (int at = address.indexOf('%'); at >= 0; at = address.indexOf('%', at + 1)) {
      if (digit(address, at + 1) < 0 || digit(address, at + 2) < 0) {
        return false;
      }
    }
    return true;
  }

  private static int digit(String address, int at) {
    return at < address.length() ? Character.digit(address.charAt(at), 16) : -1;
  }
}
