package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Numbers;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr.BinaryOp;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/// Loops over arrays of longs in the form that the JVM's compiler turns into vector instructions,
/// those of the functions that tensors of indices are made of; the others call [WholeMath]. Each
/// says whether all elements have a value.
final class WholeLoops {
  private WholeLoops() {}

  static boolean binary(
      BinaryOp op, boolean signed, LongBinaryOperator f, long[] to, long[] a, long[] b, int count) {
    return switch (op) {
      case ADD -> add(to, a, b, count);
      case SUB -> subtract(to, a, b, count);
      case MUL -> multiply(to, a, b, count);
      case DIV, REM, MOD -> quotient(op, signed, f, to, a, b, count);
      case MIN, MAX, LT, LE, GT, GE -> ordered(op, signed, f, to, a, b, count);
      case AND -> and(to, a, b, count);
      default -> apply(f, to, a, b, count);
    };
  }

  private static boolean ordered(
      BinaryOp op, boolean signed, LongBinaryOperator f, long[] to, long[] a, long[] b, int count) {
    if (!signed) {
      return apply(f, to, a, b, count);
    }
    return switch (op) {
      case MIN -> min(to, a, b, count);
      case MAX -> max(to, a, b, count);
      case LT -> less(to, a, b, count);
      case GT -> less(to, b, a, count);
      case LE -> atMost(to, a, b, count);
      default -> atMost(to, b, a, count);
    };
  }

  private static boolean min(long[] to, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Math.min(a[i], b[i]);
    }
    return true;
  }

  private static boolean max(long[] to, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Math.max(a[i], b[i]);
    }
    return true;
  }

  private static boolean less(long[] to, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] < b[i] ? 1 : 0;
    }
    return true;
  }

  private static boolean atMost(long[] to, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] <= b[i] ? 1 : 0;
    }
    return true;
  }

  /* Of booleans, which are 0 and 1. */
  private static boolean and(long[] to, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] & b[i];
    }
    return true;
  }

  static boolean select(long[] to, long[] condition, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = condition[i] != 0 ? a[i] : b[i];
    }
    return true;
  }

  static boolean wrap(ElementType type, long[] to, long[] a, int count) {
    if (type == ElementType.I32) {
      for (int i = 0; i < count; i++) {
        to[i] = (int) a[i];
      }
    } else {
      for (int i = 0; i < count; i++) {
        to[i] = Numbers.wrap(type, a[i]);
      }
    }
    return true;
  }

  static boolean apply(LongUnaryOperator f, long[] to, long[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = f.applyAsLong(a[i]);
    }
    return true;
  }

  static boolean apply(LongBinaryOperator f, long[] to, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = f.applyAsLong(a[i], b[i]);
    }
    return true;
  }

  private static boolean add(long[] to, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] + b[i];
    }
    return true;
  }

  private static boolean subtract(long[] to, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] - b[i];
    }
    return true;
  }

  private static boolean multiply(long[] to, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] * b[i];
    }
    return true;
  }

  /* The plain form tells where a divisor is zero. */
  private static boolean quotient(
      BinaryOp op, boolean signed, LongBinaryOperator f, long[] to, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      if (b[i] == 0) {
        return false;
      }
    }
    if (op != BinaryOp.MOD || !signed) {
      return apply(f, to, a, b, count);
    }
    for (int i = 0; i < count; i++) {
      to[i] = Math.floorMod(a[i], b[i]);
    }
    return true;
  }
}
