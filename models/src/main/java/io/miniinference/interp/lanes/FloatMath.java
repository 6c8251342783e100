package io.miniinference.interp.lanes;

/// Functions of `F32` numbers, in double precision: right to some 1e-11 of the result before it is
/// rounded. [VectorFunctions] takes the same steps, so that the bits are the same.
///
/// The polynomials of [#erf] were fitted to it at Chebyshev's points, that of [#exp] is Taylor's.
public final class FloatMath {
  static final double LOG2_E = 1.4426950408889634;
  static final double LN_2 = 0.6931471805599453;

  /* A number of which sums end at a whole, which their lowest bits are. */
  static final double WHOLES = 0x1.8p52;

  static final int BIAS = 1023;
  static final int MANTISSA = 52;

  /* Beyond these all results are 0 or infinite. */
  static final double LEAST_EXPONENT = -120;
  static final double MOST_EXPONENT = 100;

  /* From here on the error function is 1. */
  static final double MOST = 4;

  /* Where the second polynomial is around. */
  static final double MIDDLE = 2.5;

  /* Of x, which is small. */
  static final double[] EXP = {
    1.0,
    1.0,
    0.5,
    0.16666666666666666,
    0.041666666666666664,
    0.008333333333333333,
    0.001388888888888889,
    0.0001984126984126984,
    2.48015873015873e-05,
    2.7557319223985893e-06,
    2.755731922398589e-07
  };

  /* Of x², for x below 1: erf(x) / x. */
  static final double[] ERF = {
    1.1283791670955126,
    -0.3761263890317512,
    0.1128379167061299,
    -0.02686617059125534,
    0.005223977187767437,
    -0.0008548306203117517,
    0.00012054713425880867,
    -1.4913757362666626e-05,
    1.6314325057224221e-06,
    -1.520730172581907e-07,
    9.467239730994813e-09
  };

  /* Of x − 2.5, for x from 1 to 4: the logarithm of 1 − erf(x). */
  static final double[] TAIL = {
    -7.8068152727330045,
    -5.352680751395944,
    -0.9438937332737085,
    -0.010858067659496531,
    0.002165475114401944,
    -0.0004209505290722313,
    7.703557632515403e-05,
    -1.2728676593991517e-05,
    1.7629041694458988e-06,
    -1.7580931181169934e-07,
    -8.631537424296188e-09,
    1.777466594924742e-08,
    -4.802521830962293e-09
  };

  private FloatMath() {}

  /// The exponential function.
  public static double exp(double x) {
    return expOf(Math.clamp(x, LEAST_EXPONENT, MOST_EXPONENT));
  }

  private static double expOf(double x) {
    double twos = Math.fma(x, LOG2_E, WHOLES);
    double rest = Math.fma(twos - WHOLES, -LN_2, x);
    long bits = Double.doubleToRawLongBits(twos) + BIAS << MANTISSA;
    return polynomial(EXP, rest) * Double.longBitsToDouble(bits);
  }

  /// The error function.
  public static double erf(double x) {
    double a = Math.min(Math.abs(x), MOST);
    if (a < 1) {
      return x * polynomial(ERF, x * x);
    }
    double result = 1 - expOf(polynomial(TAIL, a - MIDDLE));
    return x < 0 ? -result : result;
  }

  private static double polynomial(double[] factors, double x) {
    double sum = factors[factors.length - 1];
    for (int i = factors.length - 2; i >= 0; i--) {
      sum = Math.fma(sum, x, factors[i]);
    }
    return sum;
  }
}
