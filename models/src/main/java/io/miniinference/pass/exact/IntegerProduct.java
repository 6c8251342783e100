package io.miniinference.pass.exact;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Interval;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.Optional;

/// A matrix product or convolution of 32-bit integers.
public record IntegerProduct(Node node) {
  /// With more parts, the sums of parts cost more than faster products save.
  public static final int MOST_PARTS = 8;

  public static boolean is(Node node) {
    return (node.op() instanceof Op.MatMul || node.op() instanceof Op.Conv)
        && node.epilogue() == null
        && node.inputs().stream().allMatch(v -> v.type().element() == ElementType.I32);
  }

  /// The first factor, whose values come with a request as a rule.
  public Value x() {
    return node.inputs().get(0);
  }

  /// The second factor.
  public Value weights() {
    return node.inputs().get(1);
  }

  public Value sum() {
    return node.output();
  }

  /// The axis of `x` that is cut where weights are cut in parts.
  public int cutAxis() {
    return switch (node.op()) {
      case Op.MatMul product -> x().type().rank() - (product.transposeA() ? 2 : 1);
      default -> 1;
    };
  }

  /// The same product of floats, each of whose sums is exact.
  public Op ofFloats() {
    return switch (node.op()) {
      case Op.MatMul it -> new Op.MatMul(it.transposeA(), it.transposeB(), true);
      case Op.Conv it -> new Op.Conv(it.window(), it.groups(), true);
      default -> throw new IllegalArgumentException("no product: " + node.op());
    };
  }

  /// How known weights are cut into parts that floats multiply exactly; empty where they cannot be.
  ///
  /// @param factor what `x` can be
  public Optional<ExactSums.Cut> cut(Tensor known, Interval factor) {
    if (known.elements() == 0) {
      return Optional.empty();
    }
    return switch (node.op()) {
      case Op.Conv conv ->
          Optional.of(new ExactSums.Cut(1, 0, factor, conv.groups() == 1 ? MOST_PARTS : 1));
      case Op.MatMul product when known.shape().length == 2 -> {
        int along = product.transposeB() ? 1 : 0;
        yield Optional.of(new ExactSums.Cut(along, 1 - along, factor, MOST_PARTS));
      }
      default -> Optional.empty();
    };
  }

  /// What sums can be, whatever the factors are; empty if floats do not hold all of it.
  ///
  /// @param a what `x` can be
  /// @param b what the weights can be
  public Optional<Interval> sums(Interval a, Interval b) {
    Interval product = a.times(b).union(Interval.of(0));
    return product.size() > ExactSums.MOST
        ? Optional.empty()
        : depth()
            .map(depth -> product.times(Interval.of(depth)))
            .filter(sums -> sums.size() <= ExactSums.MOST);
  }

  /* Products in a sum, if there are not so many that they say nothing. */
  private Optional<Long> depth() {
    List<Affine> extents =
        node.op() instanceof Op.MatMul
            ? List.of(x().type().dim(cutAxis()))
            : weights().type().shape().subList(1, weights().type().rank());
    long depth = 1;
    for (Affine extent : extents) {
      if (!extent.isConstant() || extent.constant() > ExactSums.MOST) {
        return Optional.empty();
      }
      depth = Math.min(ExactSums.MOST, depth) * extent.constant();
    }
    return Optional.of(depth).filter(all -> all <= ExactSums.MOST);
  }
}
