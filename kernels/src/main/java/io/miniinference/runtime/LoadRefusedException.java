package io.miniinference.runtime;

/// A model that does not fit the pool: the message says what it needs, what is free and what would
/// help. The pool is as it was.
public final class LoadRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LoadRefusedException(String message) {
    super(message);
  }
}
