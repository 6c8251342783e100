package io.miniinference.ops.small;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.bits;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.isNan;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.round;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;

/// A format of small floats: a sign, an exponent and a fraction ([ONNX float
/// 8](https://onnx.ai/onnx/technical/float8.html), [float
/// 4](https://onnx.ai/onnx/technical/float4.html)). A code is the bits as a number.
///
/// @param fraction bits of the fraction
/// @param bias what the exponent is greater by than the power of two
/// @param largest code of the largest finite number
/// @param beyond code of what is larger, where it does not saturate
/// @param nan code of what is no number
/// @param sign the sign's bit
/// @param hasNegativeZero whether it may stand alone; where it may not, it is `nan`
record FloatFormat(
    int fraction, int bias, int largest, int beyond, int nan, int sign, boolean hasNegativeZero)
    implements SmallFormat {
  private static final int SINGLE_FRACTION = 23;
  private static final int SINGLE_BIAS = 127;
  private static final int DOUBLE_FRACTION = 52;
  private static final int DOUBLE_BIAS = 1023;

  @Override
  public float value(int code) {
    int own = code & (2 * sign - 1);
    int magnitude = own & (sign - 1);
    if (!hasNegativeZero && own == nan) {
      return Float.NaN;
    }
    float positive = magnitude > largest ? beyond(magnitude) : finite(magnitude);
    return own == magnitude ? positive : -positive;
  }

  private float beyond(int magnitude) {
    return beyond != nan && magnitude == beyond ? Float.POSITIVE_INFINITY : Float.NaN;
  }

  private float finite(int magnitude) {
    int exponent = magnitude >> fraction;
    int digits = magnitude & ((1 << fraction) - 1);
    return exponent == 0
        ? Math.scalb((float) digits, 1 - bias - fraction)
        : Math.scalb((float) (digits + (1 << fraction)), exponent - bias - fraction);
  }

  /// Rounded to the nearest, ties to even.
  @Override
  public Expr code(Expr x, ElementType real, boolean saturates) {
    boolean isDouble = real == ElementType.F64;
    Whole whole = new Whole(isDouble ? ElementType.I64 : ElementType.I32);
    Expr own = bits(abs(x));
    Expr normal =
        isDouble
            ? normal(whole, own, DOUBLE_FRACTION, DOUBLE_BIAS)
            : normal(whole, own, SINGLE_FRACTION, SINGLE_BIAS);
    Expr steps = mul(abs(x), const_(real, Math.scalb(1.0, fraction + bias - 1)));
    Expr subnormal = cast(whole.type(), round(steps));
    Expr isSubnormal = lt(abs(x), const_(real, Math.scalb(1.0, 1 - bias)));
    Expr nearest = select(isSubnormal, subnormal, normal);
    Expr limited =
        select(gt(nearest, whole.of(largest)), whole.of(saturates ? largest : beyond), nearest);
    return signed(whole, bits(x), select(isNan(x), whole.of(nan), limited));
  }

  private Expr normal(Whole whole, Expr own, int ownFraction, int ownBias) {
    int dropped = ownFraction - fraction;
    Expr isOdd = whole.and(whole.right(own, dropped), 1);
    Expr rounded = add(add(own, whole.of((1L << (dropped - 1)) - 1)), isOdd);
    return sub(whole.right(rounded, dropped), whole.of((long) (ownBias - bias) << fraction));
  }

  private Expr signed(Whole whole, Expr own, Expr magnitude) {
    Expr isNegative = lt(own, whole.of(0));
    Expr takesSign = hasNegativeZero ? isNegative : and(isNegative, gt(magnitude, whole.of(0)));
    return select(takesSign, whole.or(magnitude, sign), magnitude);
  }
}
