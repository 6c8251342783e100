package io.miniinference.interp.expr;

import io.miniinference.interp.lanes.FloatMath;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/// Functions of floats, in double precision. A caller that computes in floats rounds each result,
/// which for the basic operations is what computing in floats gives.
public final class RealMath {
  private static final double LN_2 = Math.log(2);
  private static final double LARGE = 0x1p28;

  private RealMath() {}

  /// The function of an operator whose result is a float.
  static DoubleUnaryOperator unary(UnaryOp op) {
    return switch (op) {
      case NEG -> x -> -x;
      case ABS -> Math::abs;
      case SIGN -> Math::signum;
      case SQRT -> Math::sqrt;
      case RECIPROCAL -> x -> 1 / x;
      case EXP -> Math::exp;
      case EXPM1 -> Math::expm1;
      case LOG -> Math::log;
      case LOG1P -> Math::log1p;
      case SIN -> Math::sin;
      case COS -> Math::cos;
      case TAN -> Math::tan;
      case ASIN -> Math::asin;
      case ACOS -> Math::acos;
      case ATAN -> Math::atan;
      case SINH -> Math::sinh;
      case COSH -> Math::cosh;
      case TANH -> Math::tanh;
      case ASINH -> RealMath::asinh;
      case ACOSH -> RealMath::acosh;
      case ATANH -> RealMath::atanh;
      case ERF -> RealMath::erf;
      case CEIL -> Math::ceil;
      case FLOOR -> Math::floor;
      case ROUND -> Math::rint;
      case TRUNC -> x -> x < 0 ? Math.ceil(x) : Math.floor(x);
      case NOT, BIT_NOT, IS_NAN, IS_INF, BITS, OF_BITS ->
          throw new IllegalArgumentException(op + " has no float result");
    };
  }

  /// As [#unary], of an `F32`: functions that networks are full of take fewer steps.
  static DoubleUnaryOperator ofFloats(UnaryOp op) {
    return switch (op) {
      case EXP -> FloatMath::exp;
      case ERF -> FloatMath::erf;
      default -> unary(op);
    };
  }

  /// The function of an operator whose result is a float.
  public static DoubleBinaryOperator binary(BinaryOp op) {
    return switch (op) {
      case ADD -> Double::sum;
      case SUB -> (a, b) -> a - b;
      case MUL -> (a, b) -> a * b;
      case DIV -> (a, b) -> a / b;
      case REM -> (a, b) -> a % b;
      case MOD -> RealMath::mod;
      case POW -> RealMath::pow;
      case MIN -> Math::min;
      case MAX -> Math::max;
      case ATAN2 -> Math::atan2;
      case AND,
          OR,
          XOR,
          BIT_AND,
          BIT_OR,
          BIT_XOR,
          SHIFT_LEFT,
          SHIFT_RIGHT,
          EQ,
          NE,
          LT,
          LE,
          GT,
          GE ->
          throw new IllegalArgumentException(op + " has no float result");
    };
  }

  /// Whether a comparison holds; with NaN only `NE` does.
  static boolean compare(BinaryOp op, double a, double b) {
    return switch (op) {
      case EQ -> a == b;
      case NE -> a != b;
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      default -> throw new IllegalArgumentException(op + " is no comparison");
    };
  }

  private static double mod(double a, double b) {
    double r = a % b;
    if (r == 0) {
      return Math.copySign(0, b);
    }
    return r < 0 == b < 0 ? r : r + b;
  }

  /// C's `pow`: unlike Java's, 1 to any power is 1, and so is −1 to an infinite one.
  static double pow(double a, double b) {
    return a == 1 || (a == -1 && Double.isInfinite(b)) ? 1 : Math.pow(a, b);
  }

  private static double asinh(double x) {
    double a = Math.abs(x);
    double r = a > LARGE ? Math.log(a) + LN_2 : Math.log1p(a + a * a / (1 + Math.sqrt(1 + a * a)));
    return Math.copySign(r, x);
  }

  private static double acosh(double x) {
    double t = x - 1;
    if (t < 0) {
      return Double.NaN;
    }
    return x > LARGE ? Math.log(x) + LN_2 : Math.log1p(t + Math.sqrt(2 * t + t * t));
  }

  private static double atanh(double x) {
    double a = Math.abs(x);
    return Math.copySign(Math.log1p(2 * a / (1 - a)) / 2, x);
  }

  /// The error function by the series `2x·exp(−x²)/√π · Σ (2x²)^k / (1·3·…·(2k+1))`, whose terms
  /// are all positive: no cancellation (Abramowitz and Stegun 7.1.6).
  public static double erf(double x) {
    double a = Math.abs(x);
    if (!(a < 6)) {
      return Double.isNaN(x) ? x : Math.signum(x);
    }
    double step = 2 * a * a;
    double term = 1;
    double sum = 1;
    for (int k = 3; term > sum * 0x1p-54; k += 2) {
      term *= step / k;
      sum += term;
    }
    return Math.copySign(Math.min(1, 2 / Math.sqrt(Math.PI) * a * Math.exp(-a * a) * sum), x);
  }
}
