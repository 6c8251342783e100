package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.BenchException;

/// Whether two engines computed the same: floats within `|x − y| ≤ 1e-3·|y| + 1e-5·max|y|`, as
/// `./mie verify` has it, or within half a unit in the last place of 1, below which one takes a
/// sigmoid for 0; all else exactly. Products rounded to TF32 may move a float by a fiftieth of the
/// largest. So may a network that quantises while it runs: what lies between two steps is rounded
/// to either of them, by a last bit of what went before.
public final class Agreement {
  private static final double RELATIVE = 1e-3;
  private static final double LEAST = 0x1p-22;

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

  /* Of the largest, where each rounds its products to TF32; where what steps hand to each other has
  seven bits after the point, three times that. */
  private static double ofLargest(Precision precision) {
    return switch (precision) {
      case F32, DIRECT -> 1e-5;
      case TF32, F16 -> 2e-2;
      case BF16 -> 6e-2;
    };
  }

  /* What differs first, in words. */
  private static Optional<String> difference(Tensor ours, Tensor theirs, Precision precision) {
    if (ours.element() != theirs.element() || !Arrays.equals(ours.shape(), theirs.shape())) {
      return Optional.of(ours + " against " + theirs);
    }
    TensorView x = TensorView.of(ours);
    TensorView y = TensorView.of(theirs);
    LongPredicate same =
        ours.element().isFloat() ? near(x, y, precision) : i -> x.wholeAt(i) == y.wholeAt(i);
    return LongStream.range(0, x.elements())
        .filter(same.negate())
        .mapToObj(i -> "element %d is %s against %s".formatted(i, text(x, i), text(y, i)))
        .findFirst();
  }

  private static LongPredicate near(TensorView x, TensorView y, Precision precision) {
    DoubleStream sizes = LongStream.range(0, y.elements()).mapToDouble(i -> Math.abs(y.realAt(i)));
    double slack = Math.max(LEAST, ofLargest(precision) * sizes.max().orElse(0));
    return i -> Math.abs(x.realAt(i) - y.realAt(i)) <= RELATIVE * Math.abs(y.realAt(i)) + slack;
  }

  private static String text(TensorView view, long i) {
    return view.element().isFloat()
        ? String.valueOf((float) view.realAt(i))
        : String.valueOf(view.wholeAt(i));
  }
}
