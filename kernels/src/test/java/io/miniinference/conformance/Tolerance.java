package io.miniinference.conformance;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.util.Arrays;
import java.util.Optional;

/// How near two results must be.
final class Tolerance {
  private Tolerance() {}

  /// A few units in the last place of what a type computes in, relative to a tensor's largest
  /// value; integers and booleans are exact.
  static double of(ElementType type) {
    return switch (type) {
      case F32 -> 1e-5;
      case F64 -> 1e-12;
      case F16 -> 2e-3;
      case BF16 -> 1.6e-2;
      default -> 0;
    };
  }

  /// The first element in which `got` is not `expected`; empty if there is none.
  static Optional<String> difference(Tensor expected, Tensor got, double tolerance) {
    if (!Arrays.equals(expected.shape(), got.shape())) {
      return Optional.of("shape " + Arrays.toString(got.shape()) + ", not " + expected);
    }
    return expected.element().isFloat()
        ? reals(TensorView.of(expected), TensorView.of(got), tolerance)
        : wholes(TensorView.of(expected), TensorView.of(got));
  }

  private static Optional<String> reals(TensorView expected, TensorView got, double tolerance) {
    double largest = 0;
    for (long i = 0; i < expected.elements(); i++) {
      double y = Math.abs(expected.realAt(i));
      largest = Double.isFinite(y) && y < 1e6 ? Math.max(largest, y) : largest;
    }
    for (long i = 0; i < expected.elements(); i++) {
      double y = expected.realAt(i);
      double x = got.realAt(i);
      double bound = tolerance * (Math.abs(y) + largest);
      boolean same = x == y || (Double.isNaN(x) && Double.isNaN(y));
      if (!same && !(Double.isFinite(y) && Math.abs(x - y) <= bound)) {
        return Optional.of("element " + i + " is " + x + ", not " + y);
      }
    }
    return Optional.empty();
  }

  private static Optional<String> wholes(TensorView expected, TensorView got) {
    for (long i = 0; i < expected.elements(); i++) {
      if (expected.wholeAt(i) != got.wholeAt(i)) {
        return Optional.of(
            "element " + i + " is " + got.wholeAt(i) + ", not " + expected.wholeAt(i));
      }
    }
    return Optional.empty();
  }
}
