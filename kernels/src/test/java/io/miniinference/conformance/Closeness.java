package io.miniinference.conformance;

import io.miniinference.ir.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Whether two tensors are equal up to rounding: floats by their distance relative to the largest
/// magnitude around, all else bit by bit.
public final class Closeness {
  private Closeness() {}

  /// What differs, or an empty text.
  public static String difference(Tensor actual, Tensor expected) {
    if (!actual.type().equals(expected.type())) {
      return actual + " instead of " + expected;
    }
    if (!actual.element().isFloat()) {
      long at = actual.data().mismatch(expected.data());
      return at < 0 ? "" : actual + " differs at byte " + at;
    }
    double scale = 1;
    for (long i = 0; i < expected.elements(); i++) {
      double magnitude = Math.abs(real(expected, i));
      scale = Double.isFinite(magnitude) ? Math.max(scale, magnitude) : scale;
    }
    for (long i = 0; i < expected.elements(); i++) {
      double a = real(actual, i);
      double e = real(expected, i);
      boolean same = Double.compare(a, e) == 0 || Math.abs(a - e) <= tolerance(expected) * scale;
      if (!same) {
        return "%s[%d] is %s instead of %s".formatted(actual, i, a, e);
      }
    }
    return "";
  }

  private static double tolerance(Tensor tensor) {
    return switch (tensor.element()) {
      case F16 -> 2e-3;
      case BF16 -> 2e-2;
      case F64 -> 1e-12;
      default -> 2e-5;
    };
  }

  private static double real(Tensor tensor, long i) {
    MemorySegment data = tensor.data();
    return switch (tensor.element()) {
      case F64 -> data.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, i * 8);
      case F16 -> Float.float16ToFloat(data.get(ValueLayout.JAVA_SHORT_UNALIGNED, i * 2));
      case BF16 -> Float.intBitsToFloat(data.get(ValueLayout.JAVA_SHORT_UNALIGNED, i * 2) << 16);
      default -> data.get(ValueLayout.JAVA_FLOAT_UNALIGNED, i * 4);
    };
  }
}
