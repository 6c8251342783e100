package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.erf;
import static io.miniinference.ir.Exprs.exp;
import static io.miniinference.ir.Exprs.expm1;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.log1p;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.reciprocal;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.movement.ShapeOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.function.UnaryOperator;

/// Activation functions, as the function bodies of the standard define them, and Softmax.
public final class ActivationOps {
  private static final Expr X = Ex.x();

  private ActivationOps() {}

  public static void addTo(OpTable table) {
    table
        .row("Relu", 1, "1", "", c -> c.map(max(X, con(c, 0)), c.in(0)))
        .row("LeakyRelu", 1, "1", "alpha=0.01", ActivationOps::leakyRelu)
        .row("PRelu", 1, "2", "", ActivationOps::earlyParametricRelu)
        .row("PRelu", 7, "2", "", c -> parametricRelu(c, c.in(1)))
        .row("ThresholdedRelu", 1, "1", "alpha=1", ActivationOps::thresholdedRelu)
        .row("Elu", 1, "1", "alpha=1", c -> c.map(elu(c, c.attrFloat("alpha"), 1), c.in(0)))
        .row("Selu", 1, "1", "alpha=1.6732 gamma=1.0507", ActivationOps::selu)
        .row(
            "Selu",
            6,
            "1",
            "alpha=1.67326319217681884765625 gamma=1.05070102214813232421875",
            ActivationOps::selu)
        .row("Celu", 12, "1", "alpha=1", c -> c.map(celu(c), c.in(0)))
        .row("Sigmoid", 1, "1", "", c -> c.map(sigmoid(c, X), c.in(0)))
        .row("HardSigmoid", 1, "1", "alpha=0.2 beta=0.5", ActivationOps::hardSigmoid)
        .row("HardSwish", 14, "1", "", ActivationOps::hardSwish)
        .row("Swish", 24, "1", "alpha=1", ActivationOps::swish)
        .row("SwiGLU", 28, "2", "alpha=1", ActivationOps::gatedSwish)
        .row("Softplus", 1, "1", "", c -> c.map(softplus(c), c.in(0)))
        .row("Softsign", 1, "1", "", c -> c.map(div(X, add(con(c, 1), abs(X))), c.in(0)))
        .row("Mish", 18, "1", "", c -> c.map(mish(c), c.in(0)))
        .row("Gelu", 20, "1", "approximate=none", ActivationOps::gelu)
        .row("Shrink", 9, "1", "bias=0 lambd=0.5", ActivationOps::shrink)
        .row(
            "Clip",
            1,
            "1",
            "min=-3.4028234663852886e38 max=3.4028234663852886e38",
            ActivationOps::clipByAttributes)
        .row("Clip", 11, "1-3", "", ActivationOps::clip)
        .row("Softmax", 1, "1", "axis=1", c -> flattened(c, f -> softmax(c, f, 1)))
        .row("Softmax", 13, "1", "axis=-1", c -> softmax(c, c.in(0), axis(c)))
        .row("LogSoftmax", 1, "1", "axis=1", c -> flattened(c, f -> logSoftmax(c, f, 1)))
        .row("LogSoftmax", 13, "1", "axis=-1", c -> logSoftmax(c, c.in(0), axis(c)))
        .row("Hardmax", 1, "1", "axis=1", c -> flattened(c, f -> hardmax(c, f, 1)))
        .row("Hardmax", 13, "1", "axis=-1", c -> hardmax(c, c.in(0), axis(c)));
  }

  private static Expr con(OpContext c, double value) {
    return const_(c.element(0), value);
  }

  private static int axis(OpContext c) {
    return c.attrAxis("axis", c.rank(0));
  }

  private static Value leakyRelu(OpContext c) {
    return c.map(leakyRelu(c.element(0), c.attrFloat("alpha"), X), c.in(0));
  }

  /// `alpha·x` below 0.
  public static Expr leakyRelu(ElementType type, double alpha, Expr x) {
    return select(lt(x, const_(type, 0.0)), mul(const_(type, alpha), x), x);
  }

  /// Before opset 7: with a slope for each channel, or one for all.
  private static Value earlyParametricRelu(OpContext c) {
    boolean isOfChannels = c.rank(1) == 1 && !c.type(1).elements().equals(Affine.ONE);
    return parametricRelu(c, isOfChannels ? c.perChannel(c.in(1), c.rank(0)) : c.in(1));
  }

  /// The slope broadcasts to X only.
  private static Value parametricRelu(OpContext c, Value slopes) {
    Expr slope = mul(arg(1), X);
    return c.map(select(lt(X, con(c, 0)), slope, X), c.in(0), slopes);
  }

  private static Value thresholdedRelu(OpContext c) {
    return c.map(select(gt(X, con(c, c.attrFloat("alpha"))), X, con(c, 0)), c.in(0));
  }

  private static Expr elu(OpContext c, double alpha, double gamma) {
    Expr negative = mul(con(c, alpha * gamma), expm1(X));
    Expr positive = gamma == 1 ? X : mul(con(c, gamma), X);
    return select(lt(X, con(c, 0)), negative, positive);
  }

  private static Value selu(OpContext c) {
    return c.map(elu(c, c.attrFloat("alpha"), c.attrFloat("gamma")), c.in(0));
  }

  private static Expr celu(OpContext c) {
    Expr alpha = con(c, c.attrFloat("alpha"));
    Expr negative = mul(alpha, expm1(div(X, alpha)));
    return add(max(con(c, 0), X), min(con(c, 0), negative));
  }

  private static Expr sigmoid(OpContext c, Expr x) {
    return sigmoid(c.element(0), x);
  }

  /// `1 / (1 + exp(-x))`.
  public static Expr sigmoid(ElementType type, Expr x) {
    return reciprocal(add(const_(type, 1.0), exp(neg(x))));
  }

  private static Expr hardSigmoid(OpContext c, double alpha, double beta) {
    Expr line = add(mul(con(c, alpha), X), con(c, beta));
    return max(con(c, 0), min(con(c, 1), line));
  }

  private static Value hardSigmoid(OpContext c) {
    return c.map(hardSigmoid(c, c.attrFloat("alpha"), c.attrFloat("beta")), c.in(0));
  }

  private static Value hardSwish(OpContext c) {
    return c.map(mul(X, hardSigmoid(c, 1.0 / 6, 0.5)), c.in(0));
  }

  private static Value swish(OpContext c) {
    Expr scaled = mul(con(c, c.attrFloat("alpha")), X);
    return c.map(mul(X, sigmoid(c, scaled)), c.in(0));
  }

  private static Value gatedSwish(OpContext c) {
    Expr scaled = mul(con(c, c.attrFloat("alpha")), X);
    return c.map(mul(mul(X, sigmoid(c, scaled)), arg(1)), c.in(0), c.in(1));
  }

  private static Expr softplus(OpContext c) {
    return softplus(c.element(0), X);
  }

  /// `log(1 + exp(x))` without overflow.
  public static Expr softplus(ElementType type, Expr x) {
    return add(max(x, const_(type, 0.0)), log1p(exp(neg(abs(x)))));
  }

  /// `x · tanh(log(1 + exp(x)))` of one exponential: with `n = exp(x)² + 2 exp(x)` the tangent is
  /// `n / (n + 2)`, which is 1 long before `n` overflows.
  private static Expr mish(OpContext c) {
    Expr power = exp(min(X, con(c, 20)));
    Expr n = mul(power, add(power, con(c, 2)));
    return mul(X, div(n, add(n, con(c, 2))));
  }

  private static Value gelu(OpContext c) {
    boolean exact = c.attrOneOf("approximate", "none", "tanh").equals("none");
    return c.map(exact ? gelu(c.element(0), X) : geluByTanh(c.element(0), X), c.in(0));
  }

  /// `x · (1 + erf(x / √2)) / 2`.
  public static Expr gelu(ElementType type, Expr x) {
    return halfBell(type, x, erf(mul(x, const_(type, Math.sqrt(0.5)))));
  }

  /// GELU by the approximation that has a tanh in it.
  public static Expr geluByTanh(ElementType type, Expr x) {
    Expr cubic = add(x, mul(const_(type, 0.044715), mul(x, mul(x, x))));
    return halfBell(type, x, tanh(mul(const_(type, Math.sqrt(2 / Math.PI)), cubic)));
  }

  private static Expr halfBell(ElementType type, Expr x, Expr bell) {
    return mul(mul(const_(type, 0.5), x), add(const_(type, 1.0), bell));
  }

  private static Value shrink(OpContext c) {
    double lambda = c.attrFloat("lambd");
    Expr bias = con(c, c.attrFloat("bias"));
    Expr above = select(gt(X, con(c, lambda)), sub(X, bias), con(c, 0));
    return c.map(select(lt(X, con(c, -lambda)), add(X, bias), above), c.in(0));
  }

  private static Value clipByAttributes(OpContext c) {
    Expr low = con(c, c.attrFloat("min"));
    return c.map(min(max(X, low), con(c, c.attrFloat("max"))), c.in(0));
  }

  private static Value clip(OpContext c) {
    Expr clipped = X;
    Value[] operands = {c.in(0), c.in(0), c.in(0)};
    int used = 1;
    if (c.has(1)) {
      operands[used] = bound(c, 1);
      clipped = max(clipped, arg(used++));
    }
    if (c.has(2)) {
      operands[used] = bound(c, 2);
      clipped = min(clipped, arg(used++));
    }
    return used == 1
        ? c.in(0)
        : c.map(clipped, List.of(operands).subList(0, used).toArray(Value[]::new));
  }

  /// A scalar, though some exporters write `[1]`.
  private static Value bound(OpContext c, int i) {
    return c.reshape(c.in(i));
  }

  public static Value softmax(Emitter c, Value x, int axis) {
    return along(c, x, axis, all -> c.emit(new Op.Softmax(axis, false), all));
  }

  private static Value logSoftmax(Emitter c, Value x, int axis) {
    return along(c, x, axis, all -> c.emit(new Op.Softmax(axis, true), all));
  }

  /// 1 at the first of the largest, 0 elsewhere.
  private static Value hardmax(OpContext c, Value x, int axis) {
    Expr chosen = select(eq(X, index(axis)), con(c, 1), con(c, 0));
    return along(
        c,
        x,
        axis,
        all -> {
          Value largest = c.reduce(Op.ReduceKind.ARG_MAX, List.of(axis), true, X, all);
          return c.compute(chosen, x.type().shape(), largest);
        });
  }

  /* Where only the device can tell how many elements there are, the others are −∞, which has no
  part in a sum of exponentials and is no maximum. */
  private static Value along(Emitter c, Value x, int axis, UnaryOperator<Value> rule) {
    Expr none = Neutral.of(Op.ReduceKind.MAX, x.type().element());
    Value result = rule.apply(c.joined(x, List.of(axis), none));
    return c.countedAt(x, axis)
        .map(counted -> c.counted(result, axis, counted.count()))
        .orElse(result);
  }

  /// Before opset 13 the axes up to the attribute's and from it on were taken as two.
  private static Value flattened(OpContext c, UnaryOperator<Value> rule) {
    return flattened(c, c.in(0), axis(c), rule);
  }

  /// What `rule` makes of two axes: those of `x` before `axis`, and the others.
  public static Value flattened(Emitter c, Value x, int axis, UnaryOperator<Value> rule) {
    return c.reshape(rule.apply(ShapeOps.flatten(c, x, axis)), x.type().shape());
  }
}
