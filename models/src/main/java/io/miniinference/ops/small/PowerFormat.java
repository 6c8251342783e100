package io.miniinference.ops.small;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.bits;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.isNan;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;

/// Powers of two from `2^-127` to `2^127`, and a code for what is no number ([ONNX
/// Cast](https://onnx.ai/onnx/operators/onnx__Cast.html), E8M0). The sign of a number is left out.
///
/// @param rounding `up`, `down` or `nearest`
record PowerFormat(Rounding rounding) implements SmallFormat {
  private static final int BIAS = 127;
  private static final int LARGEST = 254;
  private static final int NAN = 255;
  private static final int FRACTION = 23;
  private static final int DIGITS = (1 << FRACTION) - 1;

  /// The bits of 2^-127, below which there is no code.
  private static final int LEAST = 1 << (FRACTION - 1);

  /// To which power a number between two goes.
  enum Rounding {
    UP,
    DOWN,
    /// Up in the middle.
    NEAREST
  }

  @Override
  public float value(int code) {
    return code == NAN ? Float.NaN : Math.scalb(1f, code - BIAS);
  }

  @Override
  public Expr code(Expr x, ElementType real, boolean saturates) {
    Whole whole = new Whole(ElementType.I32);
    Expr magnitude = abs(real == ElementType.F32 ? x : Exprs.cast(ElementType.F32, x));
    Expr own = bits(magnitude);
    Expr rounded = select(lt(own, whole.of(LEAST)), whole.of(0), rounded(whole, own));
    return select(
        isNan(x),
        whole.of(NAN),
        saturates ? min(rounded, whole.of(LARGEST)) : checked(whole, own, rounded));
  }

  private static Expr checked(Whole whole, Expr own, Expr rounded) {
    return select(lt(own, whole.of(LEAST)), whole.of(NAN), min(rounded, whole.of(NAN)));
  }

  private Expr rounded(Whole whole, Expr own) {
    Expr exponent = whole.right(own, FRACTION);
    Expr digits = whole.and(own, DIGITS);
    Expr isAbove =
        switch (rounding) {
          case UP -> gt(own, whole.left(exponent, FRACTION));
          case DOWN -> const_(ElementType.BOOL, 0L);
          case NEAREST ->
              ge(
                  digits,
                  select(
                      lt(own, whole.of(1 << FRACTION)),
                      whole.of(LEAST + LEAST / 2),
                      whole.of(LEAST)));
        };
    Expr isLeast = Exprs.eq(own, whole.of(LEAST));
    Expr up = select(isAbove, add(exponent, whole.of(1)), exponent);
    return select(isLeast, whole.of(0), up);
  }
}
