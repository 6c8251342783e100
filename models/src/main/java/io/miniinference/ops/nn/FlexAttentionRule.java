package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.ActivationOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;

/// FlexAttention: attention whose scores and weights go through bodies of the model's own ([ONNX
/// FlexAttention](https://onnx.ai/onnx/operators/onnx_aionnxpreview_FlexAttention.html)).
final class FlexAttentionRule {
  private final OpContext c;
  private final ElementType type;

  private FlexAttentionRule(OpContext c) {
    this.c = c;
    this.type = c.element(0);
    if (!type.isFloat()) {
      throw c.unsupported("attention of " + type);
    }
    for (int i = 0; i < 3; i++) {
      c.requireRank(i, 4, 4);
    }
    if (!c.type(1).dim(1).equals(c.type(2).dim(1))) {
      throw LoweringFault.of(
          "has keys %s and values %s of other heads".formatted(c.type(1), c.type(2)));
    }
  }

  static void addTo(OpTable table) {
    table.row(
        "ai.onnx.preview.FlexAttention",
        1,
        "3",
        "prob_mod score_mod scale softmax_precision=0",
        c -> new FlexAttentionRule(c).lower());
  }

  private Value lower() {
    Value scores = changed("score_mod", c.cast(products(), wide()));
    Value weights = changed("prob_mod", ActivationOps.softmax(c, scores, 3));
    Value values = c.cast(c.in(2), weights.type().element());
    return c.cast(Heads.product(c, weights, values, false), type);
  }

  /// Half types are scaled before the product, half on each side, so that it does not overflow.
  private Value products() {
    double size = Math.max(1, c.type(0).dim(3).asConstant());
    double scale = c.hasAttr("scale") ? c.attrFloat("scale") : 1 / Math.sqrt(size);
    if (isHalf() && scale >= 0) {
      Expr root = mul(Ex.x(), const_(type, Math.sqrt(scale)));
      return Heads.product(c, c.map(root, c.in(0)), c.map(root, c.in(1)), true);
    }
    Value products = Heads.product(c, c.in(0), c.in(1), true);
    return c.map(mul(Ex.x(), const_(type, scale)), products);
  }

  private boolean isHalf() {
    return type == ElementType.F16 || type == ElementType.BF16;
  }

  private ElementType wide() {
    if (c.attrInt("softmax_precision") == 0) {
      return isHalf() ? ElementType.F32 : type;
    }
    ElementType wide = c.attrType("softmax_precision");
    if (!wide.isFloat()) {
      throw c.unsupported("a softmax of " + wide);
    }
    return wide;
  }

  private Value changed(String attribute, Value x) {
    if (!c.bodies().has(attribute)) {
      return x;
    }
    List<Value> results = c.bodies().inline(attribute, List.of(x));
    if (results.size() != 1 || !results.getFirst().type().equals(x.type())) {
      throw LoweringFault.of(
          "has a body %s that makes %s of %s, which must stay"
              .formatted(
                  Quote.of(attribute), results.stream().map(Value::type).toList(), x.type()));
    }
    return results.getFirst();
  }
}
