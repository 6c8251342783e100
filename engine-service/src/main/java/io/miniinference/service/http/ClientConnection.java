package io.miniinference.service.http;

import jakarta.servlet.http.HttpServletRequest;

/// The connection that a request came on.
@FunctionalInterface
public interface ClientConnection {
  /// The request's attribute that holds it.
  String ATTRIBUTE = "io.miniinference.connection";

  /// Whether the client has closed its side: it reads no answer then. Only for the request's
  /// thread, once the body is read.
  boolean isGone();

  /// The connection of a request; without a server beneath, one that stays.
  static ClientConnection of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof ClientConnection connection
        ? connection
        : () -> false;
  }
}
