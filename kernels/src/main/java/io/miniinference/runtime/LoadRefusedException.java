package io.miniinference.runtime;

/// A model that does not fit the pool: the message says what it needs, what is free and what would
/// help. The pool is as it was.
public final class LoadRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean isForGood;

  public LoadRefusedException(String message) {
    this(message, false);
  }

  /// @param isForGood whether even an empty pool is too small, so that no later attempt succeeds
  public LoadRefusedException(String message, boolean isForGood) {
    super(message);
    this.isForGood = isForGood;
  }

  /// Whether even an empty pool is too small, so that no later attempt succeeds.
  public boolean isForGood() {
    return isForGood;
  }
}
