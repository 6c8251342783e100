package io.miniinference.runtime;

/// What the reader or writer of a request must not do, since it would wait for that request, which
/// waits for it. Nothing was done.
public final class OwnRequestException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private OwnRequestException(String message) {
    super(message);
  }

  /// Of closing what the request runs on.
  ///
  /// @param what the model or engine, as messages name it
  public static OwnRequestException closing(String what) {
    return new OwnRequestException(
        what
            + " is closed by the reader of its own request (or its writer), for which closing waits: close it after the answer is read");
  }

  /// Of asking the same model, where that would wait for what the request has.
  public static OwnRequestException asking(String model) {
    return new OwnRequestException(
        "model '%s' is asked by the reader of its own request (or its writer), and nothing else is free to serve that: ask it after the answer is read"
            .formatted(model));
  }
}
