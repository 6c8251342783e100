package io.miniinference.ops.draft;

import io.miniinference.layout.Affine;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// Arithmetic on sizes that may depend on the batch symbol, at every batch size from 1 on.
public final class Sizes {
  private Sizes() {}

  /// The exact quotient, if there is one at every batch size.
  public static Optional<Affine> quotient(Affine a, Affine b) {
    if (b.isConstant()) {
      return quotient(a, b.constant());
    }
    long factor = b.perBatch() == 0 ? 0 : a.perBatch() / b.perBatch();
    return b.times(factor).equals(a) ? Optional.of(Affine.of(factor)) : Optional.empty();
  }

  private static Optional<Affine> quotient(Affine a, long divisor) {
    if (divisor == 0) {
      return a.isZero() ? Optional.of(Affine.ZERO) : Optional.empty();
    }
    return a.isMultipleOf(divisor) ? Optional.of(a.dividedBy(divisor)) : Optional.empty();
  }

  /// −1, 0 or 1, if that is the same at every batch size.
  public static OptionalInt sign(Affine x) {
    long least = x.at(1);
    if (x.isConstant() || (x.perBatch() > 0 && least > 0) || (x.perBatch() < 0 && least < 0)) {
      return OptionalInt.of(Long.signum(least));
    }
    return OptionalInt.empty();
  }

  /// `x` or the bound that it passes. At batch sizes where `x` may or may not pass, the model needs
  /// a fixed batch.
  public static Affine clamp(Affine x, Affine low, Affine high) {
    if (least(x.minus(low)) && least(high.minus(x))) {
      return x;
    }
    if (least(low.minus(x)) || isEndless(low.minus(x))) {
      return low;
    }
    if (least(x.minus(high)) || isEndless(x.minus(high))) {
      return high;
    }
    throw LoweringFault.specialisable(
        "%s may be outside [%s, %s], depending on the batch; fix the batch"
            .formatted(x, low, high));
  }

  /* Whether a size shrinks with the batch, and yet no batch uses it up: models write "to the end" as
  the largest number of 32 or 64 bits. */
  private static boolean isEndless(Affine x) {
    return x.perBatch() < 0 && x.constant() >= Integer.MAX_VALUE;
  }

  /// Whether `x ≥ 0` at every batch size from 1 on.
  private static boolean least(Affine x) {
    return x.perBatch() >= 0 && x.at(1) >= 0;
  }

  /// Sizes that a node is given as dimensions of its result.
  public static List<Affine> dimensions(List<Affine> sizes) {
    return dimensions(sizes, 0);
  }

  /// Sizes that a node is given as dimensions of its result, from axis `first` on.
  public static List<Affine> dimensions(List<Affine> sizes, int first) {
    return IntStream.range(0, sizes.size())
        .mapToObj(i -> dimension(sizes.get(i), first + i, i))
        .toList();
  }

  /// A size as a dimension.
  public static Affine dimension(Affine size, int axis) {
    return dimension(size, axis, axis);
  }

  /// A size as a dimension.
  ///
  /// @param position where it stands among the sizes that the node takes
  public static Affine dimension(Affine size, int axis, int position) {
    if (!size.isDimension()) {
      throw LoweringFault.specialisable(
          "makes a dimension of %s, which is neither constant nor a multiple of the batch; fix the batch"
              .formatted(size));
    }
    if (size.isConstant() && size.constant() < 0) {
      throw LoweringFault.negative(size.constant(), axis, position);
    }
    if (size.constant() < 0 || size.perBatch() < 0) {
      throw LoweringFault.of("makes a dimension of the negative size " + size);
    }
    return size;
  }
}
