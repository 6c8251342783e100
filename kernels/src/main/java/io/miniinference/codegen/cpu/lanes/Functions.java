package io.miniinference.codegen.cpu.lanes;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;

/// Which operations are functions of many instructions. One takes a vector about as long as a
/// single float.
public final class Functions {
  private Functions() {}

  /// Whether an expression calls one.
  public static boolean areIn(Expr expr) {
    return isOne(expr) || ExprTree.children(expr).stream().anyMatch(Functions::areIn);
  }

  /// Whether an expression looks functions of bytes up in tables (the pass `ByteFunctions`).
  public static boolean areTables(Expr expr) {
    return isTable(expr) || ExprTree.children(expr).stream().anyMatch(Functions::areTables);
  }

  /// Whether it is such a table's element.
  public static boolean isTable(Expr expr) {
    return expr instanceof Expr.At at
        && at.coordinates().size() == 1
        && isByte(at.coordinates().getFirst());
  }

  private static boolean isByte(Expr place) {
    return switch (place) {
      case Expr.Cast(_, Expr.Arg _) -> true;
      case Expr.Binary(var op, Expr left, Expr.Const _) -> op == Expr.BinaryOp.ADD && isByte(left);
      default -> false;
    };
  }

  /// Whether the operation on top of an expression is one.
  static boolean isOne(Expr expr) {
    return switch (expr) {
      case Expr.Unary unary -> isOne(unary.op());
      case Expr.Binary binary -> isOne(binary.op());
      case Expr.Arg _,
          Expr.At _,
          Expr.Const _,
          Expr.Index _,
          Expr.Extent _,
          Expr.Select _,
          Expr.Cast _ ->
          false;
    };
  }

  private static boolean isOne(Expr.UnaryOp op) {
    return switch (op) {
      case NEG, ABS, SIGN, NOT, BIT_NOT, RECIPROCAL, SQRT -> false;
      case CEIL, FLOOR, ROUND, TRUNC, IS_NAN, IS_INF, BITS, OF_BITS -> false;
      case EXP, EXPM1, LOG, LOG1P, ERF, SIN, COS, TAN, ASIN, ACOS, ATAN -> true;
      case SINH, COSH, TANH, ASINH, ACOSH, ATANH -> true;
    };
  }

  private static boolean isOne(Expr.BinaryOp op) {
    return switch (op) {
      case REM, MOD, POW, ATAN2 -> true;
      case MIN, MAX, ADD, SUB, MUL, DIV, AND, OR, XOR -> false;
      case BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT -> false;
      case EQ, NE, LT, LE, GT, GE -> false;
    };
  }
}
