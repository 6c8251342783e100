package io.miniinference.interp.expr;

/// Signals an expression that a program over one kind of numbers ([FloatProgram], [WholeProgram])
/// cannot hold.
final class Unsuited extends RuntimeException {
  private static final long serialVersionUID = 1;

  Unsuited() {
    super(null, null, false, false);
  }

  static void require(boolean condition) {
    if (!condition) {
      throw new Unsuited();
    }
  }
}
