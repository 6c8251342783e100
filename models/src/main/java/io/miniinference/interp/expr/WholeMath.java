package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Numbers;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.ElementType.Kind;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/// Functions of integers and booleans, held in longs. Results still have to be wrapped to the type.
/// A quotient or remainder by zero is 0.
public final class WholeMath {
  private WholeMath() {}

  static LongUnaryOperator unary(UnaryOp op, ElementType type) {
    boolean signed = type.kind() == Kind.SIGNED;
    return switch (op) {
      case NEG -> a -> -a;
      case ABS -> signed ? Math::abs : a -> a;
      case SIGN -> signed ? Long::signum : a -> a == 0 ? 0 : 1;
      case NOT -> a -> a == 0 ? 1 : 0;
      case BIT_NOT -> a -> ~a;
      case CEIL, FLOOR, ROUND, TRUNC -> a -> a;
      case IS_NAN, IS_INF -> a -> 0;
      case BITS, OF_BITS -> throw new IllegalArgumentException(op + " is of floats and their bits");
      case SQRT, RECIPROCAL, EXP, EXPM1, LOG, LOG1P, SIN, COS, TAN, ASIN, ACOS, ATAN ->
          throughReal(RealMath.unary(op), type);
      case SINH, COSH, TANH, ASINH, ACOSH, ATANH, ERF -> throughReal(RealMath.unary(op), type);
    };
  }

  private static LongUnaryOperator throughReal(DoubleUnaryOperator f, ElementType type) {
    return a -> Numbers.toWhole(type, f.applyAsDouble(Numbers.toReal(type, a)));
  }

  public static LongBinaryOperator binary(BinaryOp op, ElementType type) {
    boolean wide = type == ElementType.U64;
    int width = type.bytes() * Byte.SIZE;
    return switch (op) {
      case ADD -> Long::sum;
      case SUB -> (a, b) -> a - b;
      case MUL -> (a, b) -> a * b;
      case DIV -> (a, b) -> b == 0 ? 0 : wide ? Long.divideUnsigned(a, b) : a / b;
      case REM -> (a, b) -> b == 0 ? 0 : wide ? Long.remainderUnsigned(a, b) : a % b;
      case MOD -> (a, b) -> b == 0 ? 0 : wide ? Long.remainderUnsigned(a, b) : Math.floorMod(a, b);
      case POW -> (a, b) -> b < 0 && !wide ? inversePower(a, b) : power(a, b);
      case MIN -> (a, b) -> less(wide, a, b) ? a : b;
      case MAX -> (a, b) -> less(wide, a, b) ? b : a;
      case AND -> (a, b) -> a != 0 && b != 0 ? 1 : 0;
      case OR -> (a, b) -> a != 0 || b != 0 ? 1 : 0;
      case XOR -> (a, b) -> (a != 0) != (b != 0) ? 1 : 0;
      case BIT_AND -> (a, b) -> a & b;
      case BIT_OR -> (a, b) -> a | b;
      case BIT_XOR -> (a, b) -> a ^ b;
      case SHIFT_LEFT -> (a, b) -> b < 0 || b >= width ? 0 : a << b;
      case SHIFT_RIGHT -> (a, b) -> b < 0 || b >= width ? 0 : wide ? a >>> b : a >> b;
      case EQ -> (a, b) -> a == b ? 1 : 0;
      case NE -> (a, b) -> a != b ? 1 : 0;
      case LT -> (a, b) -> less(wide, a, b) ? 1 : 0;
      case LE -> (a, b) -> less(wide, b, a) ? 0 : 1;
      case GT -> (a, b) -> less(wide, b, a) ? 1 : 0;
      case GE -> (a, b) -> less(wide, a, b) ? 0 : 1;
      case ATAN2 -> (a, b) -> Numbers.toWhole(type, Math.atan2((double) a, (double) b));
    };
  }

  static boolean less(boolean unsigned64, long a, long b) {
    return unsigned64 ? Long.compareUnsigned(a, b) < 0 : a < b;
  }

  private static long power(long base, long exponent) {
    long result = 1;
    long square = base;
    for (long e = exponent; e != 0; e >>>= 1) {
      result = (e & 1) != 0 ? result * square : result;
      square *= square;
    }
    return result;
  }

  /// A power with a negative exponent, truncated toward zero; of 0 it is 0.
  private static long inversePower(long base, long exponent) {
    if (base == 1 || base == -1) {
      return (exponent & 1) == 0 ? 1 : base;
    }
    return 0;
  }
}
