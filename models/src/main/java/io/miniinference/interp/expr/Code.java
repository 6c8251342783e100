package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Cursor;
import io.miniinference.ir.ElementType;

/// A compiled expression of one element type.
public sealed interface Code {
  ElementType type();

  /// An expression of a float type.
  record Real(ElementType type, RealFunction at) implements Code {}

  /// An expression of an integer type or `BOOL`.
  record Whole(ElementType type, WholeFunction at) implements Code {}

  @FunctionalInterface
  interface RealFunction {
    double at(Cursor cursor);
  }

  @FunctionalInterface
  interface WholeFunction {
    long at(Cursor cursor);
  }

  default RealFunction real() {
    return switch (this) {
      case Real r -> r.at;
      case Whole w -> throw new IllegalArgumentException("expected a float, got " + w.type);
    };
  }

  default WholeFunction whole() {
    return switch (this) {
      case Whole w -> w.at;
      case Real r -> throw new IllegalArgumentException("expected an integer, got " + r.type);
    };
  }
}
