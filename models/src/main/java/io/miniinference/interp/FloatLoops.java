package io.miniinference.interp;

import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/// Loops over float arrays in the form that the JVM's compiler turns into vector instructions:
/// every array of a loop is read and written at the loop's own index.
final class FloatLoops {
  private FloatLoops() {}

  static void unary(UnaryOp op, float[] to, float[] a, int count) {
    switch (op) {
      case NEG -> negate(to, a, count);
      case ABS -> abs(to, a, count);
      case SQRT -> sqrt(to, a, count);
      case RECIPROCAL -> reciprocal(to, a, count);
      case EXP -> exp(to, a, count);
      case TANH -> tanh(to, a, count);
      case NOT -> not(to, a, count);
      case IS_NAN -> isNaN(to, a, count);
      case IS_INF -> isInfinite(to, a, count);
      default -> apply(RealMath.unary(op), to, a, count);
    }
  }

  static void binary(BinaryOp op, float[] to, float[] a, float[] b, int count) {
    switch (op) {
      case ADD -> add(to, a, b, count);
      case SUB -> subtract(to, a, b, count);
      case MUL -> multiply(to, a, b, count);
      case DIV -> divide(to, a, b, count);
      case MIN, AND -> min(to, a, b, count);
      case MAX, OR -> max(to, a, b, count);
      case XOR -> compare(BinaryOp.NE, to, a, b, count);
      case LT -> less(to, a, b, count);
      case GT -> less(to, b, a, count);
      case EQ, NE, LE, GE -> compare(op, to, a, b, count);
      default -> apply(RealMath.binary(op), to, a, b, count);
    }
  }

  static void select(float[] to, float[] condition, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = condition[i] != 0 ? a[i] : b[i];
    }
  }

  private static void negate(float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = -a[i];
    }
  }

  private static void abs(float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Math.abs(a[i]);
    }
  }

  private static void sqrt(float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) Math.sqrt(a[i]);
    }
  }

  private static void reciprocal(float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = 1 / a[i];
    }
  }

  private static void exp(float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) Math.exp(a[i]);
    }
  }

  private static void tanh(float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) Math.tanh(a[i]);
    }
  }

  private static void not(float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = 1 - a[i];
    }
  }

  private static void isNaN(float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.isNaN(a[i]) ? 1 : 0;
    }
  }

  private static void isInfinite(float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.isInfinite(a[i]) ? 1 : 0;
    }
  }

  private static void apply(DoubleUnaryOperator f, float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) f.applyAsDouble(a[i]);
    }
  }

  static void add(float[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] + b[i];
    }
  }

  /// The sum in eight interleaved partial sums.
  static float sum(float[] a, int count) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    float s4 = 0;
    float s5 = 0;
    float s6 = 0;
    float s7 = 0;
    int i = 0;
    for (; i < count - 7; i += 8) {
      s0 += a[i];
      s1 += a[i + 1];
      s2 += a[i + 2];
      s3 += a[i + 3];
      s4 += a[i + 4];
      s5 += a[i + 5];
      s6 += a[i + 6];
      s7 += a[i + 7];
    }
    for (; i < count; i++) {
      s0 += a[i];
    }
    return s0 + s1 + (s2 + s3) + (s4 + s5 + (s6 + s7));
  }

  private static void subtract(float[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] - b[i];
    }
  }

  static void multiply(float[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] * b[i];
    }
  }

  private static void divide(float[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] / b[i];
    }
  }

  private static void min(float[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Math.min(a[i], b[i]);
    }
  }

  static void max(float[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Math.max(a[i], b[i]);
    }
  }

  private static void less(float[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] < b[i] ? 1 : 0;
    }
  }

  private static void compare(BinaryOp op, float[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = RealMath.compare(op, a[i], b[i]) ? 1 : 0;
    }
  }

  private static void apply(DoubleBinaryOperator f, float[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) f.applyAsDouble(a[i], b[i]);
    }
  }
}
