package io.miniinference.ops.contrib;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.MatMulOps;
import io.miniinference.ops.nn.QuantOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.Optional;

/// Products of quantised matrices: of the integers in 32 bits, then scaled.
final class QuantisedProducts {
  private QuantisedProducts() {}

  static void addTo(OpTable table) {
    table
        .row("com.microsoft.QGemm", 1, "6-9", "alpha=1 transA=0 transB=0", QuantisedProducts::gemm)
        .row("com.microsoft.DynamicQuantizeMatMul", 1, "3-5", "", QuantisedProducts::dynamic)
        .row("com.microsoft.MatMulIntegerToFloat", 1, "4-7", "", QuantisedProducts::toFloat);
  }

  /// `alpha·A·B + C`, where C is in steps of the product's scale; in floats unless the result has a
  /// scale.
  private static Value gemm(OpContext c) {
    c.requireRank(0, 2, 2);
    c.requireRank(3, 2, 2);
    boolean turned = c.attrBool("transB");
    Value a = integers(c, 0, Optional.of(c.single(2)));
    Value b = integers(c, 3, c.optional(5).map(z -> turned ? QuantOps.perRow(c, z) : z));
    Value product = c.matMul(a, b, c.attrBool("transA"), turned);
    if (c.has(6)) {
      Quantised.integers(c, 6);
      product = c.plus(product, c.in(6));
    }
    Quantised.realType(c, 4);
    Expr alpha = const_(c.element(4), c.attrFloat("alpha"));
    Value scale = c.map(mul(alpha, mul(arg(0), arg(1))), Quantised.scale(c, 1), c.in(4));
    if (!c.has(7)) {
      return scaled(c, product, scale, Optional.empty());
    }
    Value factor = c.map(div(arg(0), arg(1)), scale, Quantised.scale(c, 7));
    if (!c.has(8)) {
      throw LoweringFault.of("has a scale for its result and no zero point (input 8)");
    }
    return QuantOps.rescaled(c, product, factor, c.single(8));
  }

  /// Input `i` less its zero point.
  private static Value integers(OpContext c, int i, Optional<Value> zeroPoint) {
    Quantised.integers(c, i);
    return QuantOps.centred(c, c.in(i), zeroPoint);
  }

  /// A is quantised by its own range.
  private static Value dynamic(OpContext c) {
    Quantised.realType(c, 0);
    Quantised.realType(c, 2);
    List<Value> a = QuantOps.dynamic(c, c.in(0));
    Value whole = QuantOps.centred(c, a.get(0), Optional.of(a.get(2)));
    Value product = MatMulOps.matMul(c, whole, integers(c, 1, c.optional(3)));
    return scaled(c, product, c.mul(a.get(1), c.in(2)), c.optional(4));
  }

  private static Value toFloat(OpContext c) {
    Quantised.realType(c, 3);
    Value a = integers(c, 0, c.optional(4).map(z -> c.single(4)));
    Value product = MatMulOps.matMul(c, a, integers(c, 1, c.optional(5)));
    return scaled(c, product, c.mul(Quantised.scale(c, 2), c.in(3)), c.optional(6));
  }

  /// The integers of a product times their scale, plus a bias.
  private static Value scaled(OpContext c, Value product, Value scale, Optional<Value> bias) {
    ElementType real = scale.type().element();
    Expr value = mul(cast(real, arg(0)), arg(1));
    return bias.isEmpty()
        ? c.compute(value, product.type().shape(), product, scale)
        : c.compute(add(value, arg(2)), product.type().shape(), product, scale, bias.get());
  }
}
