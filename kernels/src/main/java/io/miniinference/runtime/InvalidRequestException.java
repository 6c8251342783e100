package io.miniinference.runtime;

/// A request that does not fit its model. The message names the input, what was expected and what
/// came.
public final class InvalidRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidRequestException(String message) {
    super(message);
  }

  /// One that says more of where it was.
  public InvalidRequestException(String message, InvalidRequestException cause) {
    super(message, cause);
  }
}
