package io.miniinference.interp.memory;

/// A computation that its data does not allow: an index out of bounds, an integer divided by zero.
public final class DataFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DataFailure(String message) {
    super(message);
  }
}
