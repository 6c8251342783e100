package io.miniinference.interp.expr;

import io.miniinference.interp.lanes.FloatMath;
import io.miniinference.interp.lanes.Lanes;
import io.miniinference.interp.lanes.VectorFunctions;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/// Loops over float arrays in the form that the JVM's compiler turns into vector instructions:
/// every array of a loop is read and written at the loop's own index.
public final class FloatLoops {
  private FloatLoops() {}

  static void unary(UnaryOp op, float[] to, float[] a, int count) {
    switch (op) {
      case NEG -> negate(to, a, count);
      case ABS -> abs(to, a, count);
      case SQRT -> sqrt(to, a, count);
      case RECIPROCAL -> reciprocal(to, a, count);
      case EXP -> exp(to, a, count);
      case ERF -> erf(to, a, count);
      case TANH -> tanh(to, a, count);
      case NOT -> not(to, a, count);
      case IS_NAN -> isNaN(to, a, count);
      case IS_INF -> isInfinite(to, a, count);
      case FLOOR -> floor(to, a, count);
      case SIGN, EXPM1, LOG, LOG1P, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH ->
          apply(RealMath.unary(op), to, a, count);
      case ASINH, ACOSH, ATANH, CEIL, ROUND, TRUNC, BIT_NOT, BITS, OF_BITS ->
          apply(RealMath.unary(op), to, a, count);
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
      case REM, MOD, POW, ATAN2, BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT ->
          apply(RealMath.binary(op), to, a, b, count);
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
    int done = Lanes.areInUse() ? VectorFunctions.exp(to, a, count) : 0;
    for (int i = done; i < count; i++) {
      to[i] = (float) FloatMath.exp(a[i]);
    }
  }

  private static void erf(float[] to, float[] a, int count) {
    int done = Lanes.areInUse() ? VectorFunctions.erf(to, a, count) : 0;
    for (int i = done; i < count; i++) {
      to[i] = (float) FloatMath.erf(a[i]);
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

  private static void floor(float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) Math.floor(a[i]);
    }
  }

  static void apply(DoubleUnaryOperator f, float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) f.applyAsDouble(a[i]);
    }
  }

  public static void add(float[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] + b[i];
    }
  }

  /// Adds the products of `left` with each of eight others to eight sums, one after the other and
  /// each fused with its sum: eight chains, so that none waits for another.
  public static void dots(float[] sums, float[] left, float[][] others, int count) {
    float[] b0 = others[0];
    float[] b1 = others[1];
    float[] b2 = others[2];
    float[] b3 = others[3];
    float[] b4 = others[4];
    float[] b5 = others[5];
    float[] b6 = others[6];
    float[] b7 = others[7];
    float s0 = sums[0];
    float s1 = sums[1];
    float s2 = sums[2];
    float s3 = sums[3];
    float s4 = sums[4];
    float s5 = sums[5];
    float s6 = sums[6];
    float s7 = sums[7];
    for (int k = 0; k < count; k++) {
      float a = left[k];
      s0 = Math.fma(a, b0[k], s0);
      s1 = Math.fma(a, b1[k], s1);
      s2 = Math.fma(a, b2[k], s2);
      s3 = Math.fma(a, b3[k], s3);
      s4 = Math.fma(a, b4[k], s4);
      s5 = Math.fma(a, b5[k], s5);
      s6 = Math.fma(a, b6[k], s6);
      s7 = Math.fma(a, b7[k], s7);
    }
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
    sums[3] = s3;
    sums[4] = s4;
    sums[5] = s5;
    sums[6] = s6;
    sums[7] = s7;
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

  public static void max(float[] to, float[] a, float[] b, int count) {
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
