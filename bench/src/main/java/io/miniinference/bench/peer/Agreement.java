package io.miniinference.bench.peer;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Whether two engines computed the same: floats within `|x − y| ≤ 1e-3·|y| + 1e-5·max|y|`, as
/// `./mie verify` has it, all else bit by bit. Products rounded to TF32 may move a float by a
/// fiftieth of the largest.
public final class Agreement {
  private static final double RELATIVE = 1e-3;

  private Agreement() {}

  /// Refuses outputs that are not those of another.
  ///
  /// @param other its name
  /// @param precision how exact products of either may be
  /// @throws BenchException with what differs first
  public static void check(
      List<Tensor> ours, List<Tensor> theirs, Precision precision, String other) {
    if (ours.size() != theirs.size()) {
      throw new BenchException(
          "%d outputs against %d of %s".formatted(ours.size(), theirs.size(), other));
    }
    for (int i = 0; i < ours.size(); i++) {
      Optional<String> difference = difference(ours.get(i), theirs.get(i), precision);
      if (difference.isPresent()) {
        throw new BenchException("output %d: %s of %s".formatted(i, difference.get(), other));
      }
    }
  }

  /* What differs first, in words. */
  private static Optional<String> difference(Tensor ours, Tensor theirs, Precision precision) {
    if (ours.element() != theirs.element() || !Arrays.equals(ours.shape(), theirs.shape())) {
      return Optional.of(ours + " against " + theirs);
    }
    if (ours.element() == ElementType.F32) {
      return floats(TensorView.of(ours), TensorView.of(theirs), ofLargest(precision));
    }
    long at = ours.data().mismatch(theirs.data());
    return at < 0
        ? Optional.empty()
        : Optional.of(
            "byte %d is %d against %d".formatted(at, byteAt(ours, at), byteAt(theirs, at)));
  }

  private static byte byteAt(Tensor tensor, long at) {
    return tensor.data().get(ValueLayout.JAVA_BYTE, at);
  }

  /* Of the largest, where each rounds its products to TF32; where what steps hand to each other has
  seven bits after the point, three times that. */
  private static double ofLargest(Precision precision) {
    return switch (precision) {
      case F32, DIRECT -> 1e-5;
      case TF32, F16 -> 2e-2;
      case BF16 -> 6e-2;
    };
  }

  private static Optional<String> floats(TensorView ours, TensorView theirs, double ofLargest) {
    double largest = 0;
    for (long i = 0; i < theirs.elements(); i++) {
      largest = Math.max(largest, Math.abs(theirs.realAt(i)));
    }
    for (long i = 0; i < ours.elements(); i++) {
      double x = ours.realAt(i);
      double y = theirs.realAt(i);
      if (!(Math.abs(x - y) <= RELATIVE * Math.abs(y) + ofLargest * largest)) {
        return Optional.of("element %d is %s against %s".formatted(i, (float) x, (float) y));
      }
    }
    return Optional.empty();
  }
}
