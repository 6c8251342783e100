package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.exp;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.log;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.reciprocal;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sqrt;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.Arrays;
import java.util.List;

/// What is done to the scores of a row, `[N, C]`, at the end. The order is that of the numbers that
/// TreeEnsemble has for them.
enum PostTransform {
  NONE,
  SOFTMAX,
  LOGISTIC,
  SOFTMAX_ZERO,
  PROBIT;

  /// Below this a score counts as zero for [#SOFTMAX_ZERO].
  private static final double ZERO = 1e-7;

  /// Of the approximation of the inverse error function (S. Winitzki, A handy approximation for the
  /// error function and its inverse, 2008).
  private static final double WINITZKI = 0.147;

  /// The transform that the attribute `post_transform` names.
  static PostTransform of(OpContext c) {
    String[] names = Arrays.stream(values()).map(Enum::name).toArray(String[]::new);
    return valueOf(c.attrOneOf("post_transform", names));
  }

  /// The transform of a number.
  static PostTransform of(long number) {
    if (number < 0 || number >= values().length) {
      throw LoweringFault.of(
          "has attribute 'post_transform' = %d, which is none of %s"
              .formatted(number, Arrays.toString(values())));
    }
    return values()[(int) number];
  }

  /// The scores after it.
  Value apply(Emitter c, Value scores) {
    ElementType type = scores.type().element();
    return switch (this) {
      case NONE -> scores;
      case LOGISTIC -> c.map(logistic(type, Ex.x()), scores);
      case PROBIT -> c.map(probit(type), scores);
      case SOFTMAX -> c.emit(new Op.Softmax(1, false), scores);
      case SOFTMAX_ZERO -> softmaxZero(c, scores);
    };
  }

  /// The scores of what has one for each row: ONNX Runtime then knows one transform.
  Value ofOne(Emitter c, Value scores) {
    return this == PROBIT ? apply(c, scores) : scores;
  }

  /// `1 / (1 + exp(−x))`, without overflow.
  static Expr logistic(ElementType type, Expr x) {
    Expr one = const_(type, 1.0);
    Expr above = reciprocal(add(one, exp(neg(abs(x)))));
    return select(lt(x, const_(type, 0.0)), sub(one, above), above);
  }

  /* √2 · erf⁻¹(2x − 1). */
  private static Expr probit(ElementType type) {
    Expr one = const_(type, 1.0);
    Expr y = sub(mul(const_(type, 2.0), Ex.x()), one);
    Expr log = log(mul(sub(one, y), add(one, y)));
    Expr half = mul(const_(type, 0.5), log);
    Expr v = add(const_(type, 2 / (Math.PI * WINITZKI)), half);
    Expr root = sqrt(sub(mul(v, v), mul(const_(type, 1 / WINITZKI), log)));
    Expr size = sqrt(sub(root, v));
    Expr sign = select(lt(y, const_(type, 0.0)), const_(type, -1.0), one);
    return mul(const_(type, Math.sqrt(2)), mul(sign, size));
  }

  /* A softmax in which zeros stay. */
  private static Value softmaxZero(Emitter c, Value scores) {
    ElementType type = scores.type().element();
    Value largest = c.reduce(Op.ReduceKind.MAX, List.of(1), true, Ex.x(), scores);
    Expr isScore = gt(abs(Ex.x()), const_(type, ZERO));
    Expr power = select(isScore, exp(sub(arg(0), arg(1))), const_(type, 0.0));
    Value powers = c.map(power, scores, largest);
    Value sum = c.reduce(Op.ReduceKind.SUM, List.of(1), true, Ex.x(), powers);
    return c.map(div(arg(0), arg(1)), powers, sum);
  }
}
