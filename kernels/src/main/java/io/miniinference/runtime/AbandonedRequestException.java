package io.miniinference.runtime;

/// A request that was given up while it waited for an instance of its model: its deadline passed,
/// or its thread was interrupted. Nothing of it ran.
public final class AbandonedRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public AbandonedRequestException(String message) {
    super(message);
  }
}
