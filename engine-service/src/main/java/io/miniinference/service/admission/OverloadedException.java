package io.miniinference.service.admission;

/// A request that was not let in because there are too many, or because the device rests. Nothing
/// ran; the client may try again later.
public final class OverloadedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OverloadedException(String message) {
    super(message);
  }

  public OverloadedException(String message, Throwable cause) {
    super(message, cause);
  }
}
