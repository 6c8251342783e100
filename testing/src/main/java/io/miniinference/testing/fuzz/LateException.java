package io.miniinference.testing.fuzz;

/// What takes an input has not answered in the time that a target waits. On a machine that others
/// use that says little, until it happens again.
final class LateException extends Exception {
  private static final long serialVersionUID = 1L;

  LateException(Throwable cause) {
    super(cause);
  }
}
