package io.miniinference.ops.draft;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// A comparison of sizes of which one may follow a counted axis.
///
/// @param one operand
/// @param other operand
record SizeComparison(Expr.BinaryOp op, Value one, Value other) {
  private static final Set<Expr.BinaryOp> ALL = EnumSet.range(Expr.BinaryOp.EQ, Expr.BinaryOp.GE);

  static Optional<SizeComparison> of(Node node) {
    return node.op() instanceof Op.Elementwise map
            && map.expr() instanceof Expr.Binary(Expr.BinaryOp op, Expr.Arg(int a), Expr.Arg(int b))
            && ALL.contains(op)
        ? Optional.of(new SizeComparison(op, node.inputs().get(a), node.inputs().get(b)))
        : Optional.empty();
  }

  /// Whether each element is the same for all lengths: what is compared is outside of all that the
  /// size may be, or follows no length.
  boolean isDecided(Facts facts) {
    boolean isOne = facts.isPlanned(one);
    Optional<PlannedSizes> sizes = facts.planned(isOne ? one : other);
    Optional<SymbolicTensor> bounds = facts.known(isOne ? other : one);
    return sizes.isPresent() && bounds.isPresent() && isDecided(sizes.get(), bounds.get().values());
  }

  private static boolean isDecided(PlannedSizes sizes, List<Affine> bounds) {
    int count = sizes.largest().size();
    return (bounds.size() == 1 || bounds.size() == count)
        && IntStream.range(0, count)
            .allMatch(i -> isDecided(sizes, i, bounds.get(bounds.size() == 1 ? 0 : i)));
  }

  private static boolean isDecided(PlannedSizes sizes, int element, Affine bound) {
    Affine least = sizes.probes().getFirst().values().get(element);
    Affine most = sizes.largest().get(element);
    return sizes.isConstant(element)
        || Sizes.sign(least.minus(bound)).orElse(0) > 0
        || Sizes.sign(bound.minus(most)).orElse(0) > 0;
  }
}
