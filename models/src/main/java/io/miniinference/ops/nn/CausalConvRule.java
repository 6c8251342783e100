package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.ActivationOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;

/// CausalConvWithState: a depthwise convolution along the last axis that looks back only, at what
/// earlier calls left, or at zeros ([ONNX
/// CausalConvWithState](https://onnx.ai/onnx/operators/onnx__CausalConvWithState.html)).
///
/// Shapes: input and output `[batch, channels, length]`, weights `[channels, 1, taps]`, states
/// `[batch, channels, taps − 1]`.
final class CausalConvRule {
  private static final int STATE = 3;

  private final OpContext c;
  private final ElementType type;
  private final int channels;
  private final int taps;

  private CausalConvRule(OpContext c) {
    this.c = c;
    this.type = c.element(0);
    c.requireRank(0, 3, 3);
    c.requireRank(1, 3, 3);
    channels = Math.toIntExact(c.type(0).dim(1).asConstant());
    taps = ConvOps.kernel(c.type(1)).getFirst();
    if (!c.type(1).dim(0).equals(Affine.of(channels))
        || !c.type(1).dim(1).equals(Affine.ONE)
        || taps < 1) {
      throw LoweringFault.of("has weights %s for %s".formatted(c.type(1), c.type(0)));
    }
  }

  static void addTo(OpTable table) {
    table.rows(
        "CausalConvWithState", 27, "2-4", "activation=none", c -> new CausalConvRule(c).lower());
  }

  private List<Value> lower() {
    boolean hasState = c.has(STATE);
    Value whole = c.concat(2, List.of(hasState ? state() : zeros(), c.in(0)));
    Value product = hasState ? conv(whole, 0) : conv(c.in(0), taps - 1);
    Value result = activated(ConvOps.biased(c, 2, product));
    return List.of(result, c.slice(whole, 2, c.type(0).dim(2), Affine.of(taps - 1)));
  }

  private List<Affine> stateShape() {
    return List.of(c.type(0).dim(0), Affine.of(channels), Affine.of(taps - 1));
  }

  private Value state() {
    if (!c.type(STATE).shape().equals(stateShape())) {
      throw LoweringFault.of(
          "has a state %s, needs the shape %s".formatted(c.type(STATE), stateShape()));
    }
    return c.in(STATE);
  }

  private Value zeros() {
    return c.fill(const_(type, 0.0), stateShape());
  }

  private Value conv(Value x, int zerosBefore) {
    Window window =
        new Window(List.of(taps), List.of(1), List.of(1), List.of(zerosBefore), List.of(0));
    return c.emit(new Op.Conv(window, channels), x, c.in(1));
  }

  /* Half types in 32 bits, as the standard has it. */
  private Value activated(Value x) {
    if (c.attrOneOf("activation", "none", "silu", "swish").equals("none")) {
      return x;
    }
    ElementType wide = type == ElementType.F64 ? type : ElementType.F32;
    Expr own = Ex.as(type, wide, Ex.x());
    return c.map(Ex.as(wide, type, mul(own, ActivationOps.sigmoid(wide, own))), x);
  }
}
