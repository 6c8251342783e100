package io.miniinference.runtime;

/// A model that is compiled per shape and has been for none yet, so that it has no plan to show.
public final class NotPlannedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotPlannedException(String message) {
    super(message);
  }
}
