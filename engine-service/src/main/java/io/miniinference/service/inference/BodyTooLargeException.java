package io.miniinference.service.inference;

/// A request whose body is longer than the service takes.
final class BodyTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BodyTooLargeException(int maxBytes) {
    super("the request's body is longer than " + maxBytes + " bytes (engine.http.max-body-size)");
  }
}
