package io.miniinference.bench.peer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Whether two engines computed the same: floats within `|x − y| ≤ 1e-3·|y| + 1e-5·max|y|`, as
/// `./mie verify` has it, all else bit by bit. Products rounded to TF32 may move a float by a
/// fiftieth of the largest.
public final class Agreement {
  private static final double RELATIVE = 1e-3;
  private static final double OF_LARGEST = 1e-5;
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Of both relative to the largest, where each rounds its products to TF32.
  private static final double OF_LARGEST_ROUNDED = 2e-2;

  /// The same where what steps hand to each other has seven bits after the point.
  private static final double OF_LARGEST_BRAIN = 6e-2;

  private Agreement() {}

  /// What differs first, in words; empty if all agrees.
  public static Optional<String> difference(List<Tensor> ours, List<Tensor> theirs) {
    return difference(ours, theirs, Precision.F32);
  }

  /// What differs first, in words; empty if all agrees.
  ///
  /// @param precision how exact products of either may be
  public static Optional<String> difference(
      List<Tensor> ours, List<Tensor> theirs, Precision precision) {
    if (ours.size() != theirs.size()) {
      return Optional.of("%d outputs against %d".formatted(ours.size(), theirs.size()));
    }
    for (int i = 0; i < ours.size(); i++) {
      Optional<String> difference = difference(ours.get(i), theirs.get(i), precision);
      if (difference.isPresent()) {
        return Optional.of("output " + i + ": " + difference.get());
      }
    }
    return Optional.empty();
  }

  private static Optional<String> difference(Tensor ours, Tensor theirs, Precision precision) {
    if (ours.element() != theirs.element() || !Arrays.equals(ours.shape(), theirs.shape())) {
      return Optional.of(ours + " against " + theirs);
    }
    if (ours.element() == ElementType.F32) {
      return floats(ours, theirs, ofLargest(precision));
    }
    long at = ours.data().mismatch(theirs.data());
    return at < 0
        ? Optional.empty()
        : Optional.of(
            "byte %d is %d against %d"
                .formatted(at, ours.data().get(JAVA_BYTE, at), theirs.data().get(JAVA_BYTE, at)));
  }

  /// How far floats are from each other, of the largest one of their tensor.
  ///
  /// @param ours tensors of the types and shapes of `theirs`
  public static double farthest(List<Tensor> ours, List<Tensor> theirs) {
    double farthest = 0;
    for (int i = 0; i < theirs.size(); i++) {
      if (theirs.get(i).element() == ElementType.F32) {
        farthest = Math.max(farthest, farthest(ours.get(i), theirs.get(i)));
      }
    }
    return farthest;
  }

  private static double farthest(Tensor ours, Tensor theirs) {
    float largest = largest(theirs);
    double farthest = 0;
    for (long i = 0; i < ours.elements() && largest > 0; i++) {
      float x = ours.data().getAtIndex(FLOAT, i);
      float y = theirs.data().getAtIndex(FLOAT, i);
      farthest = Math.max(farthest, Math.abs(x - y) / largest);
    }
    return farthest;
  }

  private static float largest(Tensor tensor) {
    float largest = 0;
    for (long i = 0; i < tensor.elements(); i++) {
      largest = Math.max(largest, Math.abs(tensor.data().getAtIndex(FLOAT, i)));
    }
    return largest;
  }

  private static double ofLargest(Precision precision) {
    return switch (precision) {
      case F32, DIRECT -> OF_LARGEST;
      case TF32, F16 -> OF_LARGEST_ROUNDED;
      case BF16 -> OF_LARGEST_BRAIN;
    };
  }

  private static Optional<String> floats(Tensor ours, Tensor theirs, double ofLargest) {
    float largest = largest(theirs);
    for (long i = 0; i < ours.elements(); i++) {
      float x = ours.data().getAtIndex(FLOAT, i);
      float y = theirs.data().getAtIndex(FLOAT, i);
      if (!(Math.abs(x - y) <= RELATIVE * Math.abs(y) + ofLargest * largest)) {
        return Optional.of("element %d is %s against %s".formatted(i, x, y));
      }
    }
    return Optional.empty();
  }
}
