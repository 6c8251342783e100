package io.miniinference.plan.packing;

import java.util.List;

/// Rounding to the unit at which blocks start.
public final class Alignment {
  private Alignment() {}

  /// `value` rounded up to a multiple of `unit`.
  ///
  /// @throws ArithmeticException if it does not fit 64 bits
  public static long up(long value, long unit) {
    return Math.multiplyExact(Math.ceilDiv(value, unit), unit);
  }

  static List<Rectangle> rounded(List<Rectangle> rectangles, long unit) {
    return rectangles.stream()
        .map(r -> new Rectangle(r.lower(), r.upper(), up(r.sizeBytes(), unit)))
        .toList();
  }
}
