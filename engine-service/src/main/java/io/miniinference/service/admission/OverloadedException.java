package io.miniinference.service.admission;

/// A request that was not let in because there are too many, or because the device rests. Nothing
/// ran; the client may try again later.
public final class OverloadedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final Reason reason;

  /// Why it was not let in.
  public enum Reason {
    /// As many as allowed are in flight.
    FULL,
    /// As many as allowed came in a time.
    RATE,
    /// The device rests.
    RESTING,
    /// It takes more memory than there ever is; trying again does not help.
    TOO_LARGE
  }

  OverloadedException(Reason reason, String message) {
    super(message, null, false, false); // a stack costs more than all else of a refusal
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
