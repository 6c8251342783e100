package io.miniinference.ops.movement;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.node.OpContext;
import java.util.List;
import java.util.Optional;

/// A Slice from a place on that only the device can tell, as of the second of several parts that
/// were put one behind the other: the rows between its ends are those at which a mask is true.
final class CountedRange {
  private final OpContext c;
  private final int axis;

  /// @param axes of the slice
  /// @param steps of the slice
  CountedRange(OpContext c, long[] axes, long[] steps) {
    this.c = c;
    if (axes.length != 1 || steps.length != 1 || steps[0] != 1) {
      throw CountedAxes.joins();
    }
    axis = OpContext.axis(axes[0], c.rank(0));
  }

  Value lower() {
    Affine extent = c.type(0).dim(axis);
    Optional<CountedAxis> counted = c.countedAt(c.in(0), axis);
    boolean isOther = c.facts().isCounted(c.in(0)) && counted.isEmpty();
    if (isOther || !extent.isConstant() || !isNumber(1) || !isNumber(2)) {
      throw CountedAxes.joins();
    }
    Value there =
        counted
            .map(CountedAxis::count)
            .orElseGet(() -> c.fill(const_(extent.constant()), List.of()));
    Expr isIn = and(ge(index(0), place(0)), lt(index(0), place(1)));
    Expr isThere = and(isIn, lt(index(0), arg(2)));
    Value mask = c.compute(isThere, List.of(extent), number(1), number(2), there);
    return new Positions(c).taken(c.in(0), axis, mask);
  }

  private boolean isNumber(int input) {
    return c.type(input).elements().equals(Affine.ONE);
  }

  private Value number(int input) {
    return c.reshape(c.in(input));
  }

  /* One less than 0 counts from the end of what there is. */
  private static Expr place(int operand) {
    Expr place = cast(ElementType.I64, arg(operand));
    return select(lt(place, const_(0)), add(place, arg(2)), place);
  }
}
