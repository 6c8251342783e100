package io.miniinference.plan.verify;

/// A placement under which a program would compute something else. The message names the step, the
/// values and the byte ranges.
public final class VerificationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  VerificationException(String message) {
    super(message);
  }
}
