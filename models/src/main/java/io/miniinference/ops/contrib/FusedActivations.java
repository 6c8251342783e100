package io.miniinference.ops.contrib;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.ActivationOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.function.BiFunction;

/// Activations with a bias, and GELU in its forms.
final class FusedActivations {
  private FusedActivations() {}

  static void addTo(OpTable table) {
    table
        .row("com.microsoft.Gelu", 1, "1", "", c -> gelu(c, ActivationOps::gelu))
        .row("com.microsoft.BiasGelu", 1, "2", "", c -> gelu(c, ActivationOps::gelu))
        .row("com.microsoft.FastGelu", 1, "1-2", "", c -> gelu(c, ActivationOps::geluByTanh))
        .row("com.microsoft.QuickGelu", 1, "1", "alpha=1.702", FusedActivations::quickGelu)
        .row("com.microsoft.BiasAdd", 1, "3", "", FusedActivations::biasAdd)
        .row("com.microsoft.BiasSplitGelu", 1, "2", "", FusedActivations::gatedGelu)
        .row(
            "com.microsoft.BiasSoftmax",
            1,
            "2",
            "axis=1 is_inner_broadcast",
            FusedActivations::biasSoftmax);
  }

  /// Of input 0, plus a bias where there is one.
  private static Value gelu(OpContext c, BiFunction<ElementType, Expr, Expr> form) {
    ElementType type = c.element(0);
    if (!c.has(1)) {
      return c.map(form.apply(type, Ex.x()), c.in(0));
    }
    Expr sum = add(arg(0), arg(1));
    return c.compute(form.apply(type, sum), c.type(0).shape(), c.in(0), c.in(1));
  }

  private static Value quickGelu(OpContext c) {
    ElementType type = c.element(0);
    Expr scaled = mul(const_(type, c.attrFloat("alpha")), Ex.x());
    return c.map(mul(Ex.x(), ActivationOps.sigmoid(type, scaled)), c.in(0));
  }

  private static Value biasAdd(OpContext c) {
    Expr sum = add(add(arg(0), arg(1)), arg(2));
    return c.compute(sum, c.type(0).shape(), c.in(0), c.in(1), c.in(2));
  }

  /// One half of the last axis times the GELU of the other.
  private static Value gatedGelu(OpContext c) {
    c.requireRank(0, 1);
    int last = c.rank(0) - 1;
    Affine whole = c.type(0).dim(last);
    if (!whole.isMultipleOf(2)) {
      throw LoweringFault.of("splits %s into halves".formatted(c.type(0)));
    }
    Value sum = c.plus(c.in(0), c.in(1));
    Affine half = whole.dividedBy(2);
    Value left = c.slice(sum, last, Affine.ZERO, half);
    Value right = c.slice(sum, last, half, half);
    return c.map(mul(arg(0), ActivationOps.gelu(c.element(0), arg(1))), left, right);
  }

  /// Over all axes from the attribute's on; `is_inner_broadcast` says of the bias what its shape
  /// says.
  private static Value biasSoftmax(OpContext c) {
    Value sum = c.plus(c.in(0), c.in(1));
    int axis = c.attrAxis("axis", c.rank(0));
    return ActivationOps.flattened(c, sum, axis, f -> ActivationOps.softmax(c, f, 1));
  }
}
