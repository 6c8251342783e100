package io.miniinference.service.http;

import jakarta.servlet.http.HttpServletRequest;

/// The connection that a request came on.
public interface ClientConnection {
  /// The request's attribute that holds it.
  String ATTRIBUTE = "io.miniinference.connection";

  /// Whether the client has closed its side: it reads no answer then. Only for the request's
  /// thread, once the body is read.
  boolean isGone();

  /// Whether more of the body can be read without waiting for the client. Only for the request's
  /// thread.
  boolean hasBytes();

  /// The connection of a request; without a server beneath, one that stays and has sent all.
  static ClientConnection of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof ClientConnection connection
        ? connection
        : Whole.BODY;
  }

  /// A request that came without a connection.
  enum Whole implements ClientConnection {
    BODY;

    @Override
    public boolean isGone() {
      return false;
    }

    @Override
    public boolean hasBytes() {
      return true;
    }
  }
}
