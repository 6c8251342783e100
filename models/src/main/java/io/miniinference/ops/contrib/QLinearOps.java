package io.miniinference.ops.contrib;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.binary;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.ActivationOps;
import io.miniinference.ops.nn.PoolOps;
import io.miniinference.ops.nn.QuantOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Operators on quantised tensors besides products: dequantise, compute, quantise.
final class QLinearOps {
  private QLinearOps() {}

  static void addTo(OpTable table) {
    table
        .row("com.microsoft.QuantizeLinear", 1, "2-3", QuantOps.LINEAR, QuantOps::quantize)
        .row("com.microsoft.DequantizeLinear", 1, "2-3", QuantOps.LINEAR, QuantOps::dequantize)
        .row("com.microsoft.QLinearAdd", 1, "7-8", "", c -> pairwise(c, BinaryOp.ADD))
        .row("com.microsoft.QLinearMul", 1, "7-8", "", c -> pairwise(c, BinaryOp.MUL))
        .row("com.microsoft.QLinearWhere", 1, "9", "", QLinearOps::where)
        .row("com.microsoft.QLinearSigmoid", 1, "4-5", "", QLinearOps::sigmoid)
        .row("com.microsoft.QLinearLeakyRelu", 1, "4-5", "alpha=0.01", QLinearOps::leakyRelu)
        .row("com.microsoft.QLinearSoftmax", 1, "5", "axis=-1 opset", QLinearOps::softmax)
        .row("com.microsoft.QLinearConcat", 1, "5-*", "axis", QLinearOps::concat)
        .row(
            "com.microsoft.QLinearAveragePool",
            1,
            "4-5",
            PoolOps.AVERAGE + " channels_last=0",
            QLinearOps::average)
        .row(
            "com.microsoft.QLinearGlobalAveragePool",
            1,
            "5",
            "channels_last=0",
            QLinearOps::globalAverage);
  }

  private static Value pairwise(OpContext c, BinaryOp op) {
    Value a = Quantised.real(c, 0);
    Value b = Quantised.real(c, 3);
    return Quantised.quantised(c, c.map(binary(op, arg(0), arg(1)), a, b), 6);
  }

  private static Value where(OpContext c) {
    Value x = Quantised.real(c, 1);
    Value y = Quantised.real(c, 4);
    return Quantised.quantised(c, c.map(select(arg(0), arg(1), arg(2)), c.in(0), x, y), 7);
  }

  private static Value sigmoid(OpContext c) {
    Value x = Quantised.real(c, 0);
    Expr result = ActivationOps.sigmoid(x.type().element(), Ex.x());
    return Quantised.quantised(c, c.map(result, x), 3);
  }

  private static Value leakyRelu(OpContext c) {
    Value x = Quantised.real(c, 0);
    Expr result = ActivationOps.leakyRelu(x.type().element(), c.attrFloat("alpha"), Ex.x());
    return Quantised.quantised(c, c.map(result, x), 3);
  }

  /// Along the axis alone, or before opset 13 over all axes from it on.
  private static Value softmax(OpContext c) {
    Value x = Quantised.real(c, 0);
    int axis = c.attrAxis("axis", c.rank(0));
    boolean single = c.attrInt("opset") >= 13;
    Value y =
        single
            ? ActivationOps.softmax(c, x, axis)
            : ActivationOps.flattened(c, x, axis, f -> ActivationOps.softmax(c, f, 1));
    return Quantised.quantised(c, y, 3);
  }

  /// Scale and zero point of the result, then a tensor with its scale and zero point, and so on.
  private static Value concat(OpContext c) {
    if (c.inputs() % 3 != 2) {
      throw LoweringFault.of(
          "has %d inputs, needs two and three for each part".formatted(c.inputs()));
    }
    List<Value> parts = new ArrayList<>();
    for (int i = 2; i < c.inputs(); i += 3) {
      parts.add(Quantised.quantised(c, Quantised.real(c, i), 0));
    }
    return c.concat(c.attrAxis("axis", c.rank(2)), parts);
  }

  private static void requireChannelsFirst(OpContext c) {
    if (c.attrBool("channels_last")) {
      throw c.unsupported("attribute 'channels_last' = 1");
    }
  }

  private static Value average(OpContext c) {
    requireChannelsFirst(c);
    return Quantised.quantised(c, PoolOps.average(c, Quantised.real(c, 0)), 3);
  }

  /// The sum of the integers, times what makes a mean of it.
  private static Value globalAverage(OpContext c) {
    requireChannelsFirst(c);
    Quantised.integers(c, 0);
    c.requireRank(0, 3);
    List<Integer> axes = PoolOps.spatial(c);
    Value whole = QuantOps.centred(c, c.in(0), Optional.of(c.single(2)));
    Value sum = c.reduce(ReduceKind.SUM, axes, true, Ex.x(), whole);
    Affine count = axes.stream().map(c.type(0)::dim).reduce(Affine.ONE, Affine::times);
    ElementType real = c.element(1);
    Expr pixels = cast(real, Ex.size(count));
    Expr factor = div(arg(0), mul(arg(1), pixels));
    Value scale = c.map(factor, Quantised.scale(c, 1), Quantised.scale(c, 3));
    return QuantOps.rescaled(c, sum, scale, c.single(4));
  }
}
