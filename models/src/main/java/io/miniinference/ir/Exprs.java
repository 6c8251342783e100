package io.miniinference.ir;

import io.miniinference.ir.Expr.Arg;
import io.miniinference.ir.Expr.At;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.Cast;
import io.miniinference.ir.Expr.Const;
import io.miniinference.ir.Expr.Extent;
import io.miniinference.ir.Expr.Index;
import io.miniinference.ir.Expr.Select;
import io.miniinference.ir.Expr.Unary;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.layout.Affine;
import java.util.List;

/// Factories that let an expression be written as it is read: `max(arg(0), const_(F32, 0))`. What
/// rewrites and measures expressions is in [ExprTree].
public final class Exprs {
  private Exprs() {}

  public static Expr arg(int index) {
    return new Arg(index);
  }

  public static Expr at(int index, Expr... coordinates) {
    return new At(index, List.of(coordinates));
  }

  public static Expr at(int index, List<Expr> coordinates) {
    return new At(index, coordinates);
  }

  /// `value` in `type`: rounded if a float, truncated if an integer, `≠ 0` if a boolean.
  public static Expr const_(ElementType type, double value) {
    return Const.of(type, value);
  }

  /// An integer (wrapped to the type's width), float or boolean constant from an exact integer.
  public static Expr const_(ElementType type, long value) {
    return Const.of(type, value);
  }

  /// An `I64`.
  public static Expr const_(long value) {
    return Const.of(value);
  }

  public static Expr bool(boolean value) {
    return new Const(ElementType.BOOL, value ? 1 : 0);
  }

  public static Expr index(int axis) {
    return new Index(axis);
  }

  public static Expr extent(Affine value) {
    return new Extent(value);
  }

  public static Expr select(Expr condition, Expr then, Expr otherwise) {
    return new Select(condition, then, otherwise);
  }

  public static Expr cast(ElementType to, Expr x) {
    return new Cast(to, x);
  }

  public static Expr unary(UnaryOp op, Expr x) {
    return new Unary(op, x);
  }

  public static Expr binary(BinaryOp op, Expr left, Expr right) {
    return new Binary(op, left, right);
  }

  public static Expr neg(Expr x) {
    return new Unary(UnaryOp.NEG, x);
  }

  public static Expr abs(Expr x) {
    return new Unary(UnaryOp.ABS, x);
  }

  public static Expr sign(Expr x) {
    return new Unary(UnaryOp.SIGN, x);
  }

  public static Expr not(Expr x) {
    return new Unary(UnaryOp.NOT, x);
  }

  public static Expr sqrt(Expr x) {
    return new Unary(UnaryOp.SQRT, x);
  }

  public static Expr reciprocal(Expr x) {
    return new Unary(UnaryOp.RECIPROCAL, x);
  }

  public static Expr exp(Expr x) {
    return new Unary(UnaryOp.EXP, x);
  }

  public static Expr expm1(Expr x) {
    return new Unary(UnaryOp.EXPM1, x);
  }

  public static Expr log(Expr x) {
    return new Unary(UnaryOp.LOG, x);
  }

  public static Expr log1p(Expr x) {
    return new Unary(UnaryOp.LOG1P, x);
  }

  public static Expr sin(Expr x) {
    return new Unary(UnaryOp.SIN, x);
  }

  public static Expr cos(Expr x) {
    return new Unary(UnaryOp.COS, x);
  }

  public static Expr tan(Expr x) {
    return new Unary(UnaryOp.TAN, x);
  }

  public static Expr asin(Expr x) {
    return new Unary(UnaryOp.ASIN, x);
  }

  public static Expr acos(Expr x) {
    return new Unary(UnaryOp.ACOS, x);
  }

  public static Expr atan(Expr x) {
    return new Unary(UnaryOp.ATAN, x);
  }

  public static Expr sinh(Expr x) {
    return new Unary(UnaryOp.SINH, x);
  }

  public static Expr cosh(Expr x) {
    return new Unary(UnaryOp.COSH, x);
  }

  public static Expr tanh(Expr x) {
    return new Unary(UnaryOp.TANH, x);
  }

  public static Expr asinh(Expr x) {
    return new Unary(UnaryOp.ASINH, x);
  }

  public static Expr acosh(Expr x) {
    return new Unary(UnaryOp.ACOSH, x);
  }

  public static Expr atanh(Expr x) {
    return new Unary(UnaryOp.ATANH, x);
  }

  public static Expr erf(Expr x) {
    return new Unary(UnaryOp.ERF, x);
  }

  public static Expr ceil(Expr x) {
    return new Unary(UnaryOp.CEIL, x);
  }

  public static Expr floor(Expr x) {
    return new Unary(UnaryOp.FLOOR, x);
  }

  public static Expr round(Expr x) {
    return new Unary(UnaryOp.ROUND, x);
  }

  public static Expr isNan(Expr x) {
    return new Unary(UnaryOp.IS_NAN, x);
  }

  public static Expr isInf(Expr x) {
    return new Unary(UnaryOp.IS_INF, x);
  }

  /// The bits of a float as an integer.
  public static Expr bits(Expr x) {
    return new Unary(UnaryOp.BITS, x);
  }

  /// The float with the bits of an integer.
  public static Expr ofBits(Expr x) {
    return new Unary(UnaryOp.OF_BITS, x);
  }

  public static Expr add(Expr left, Expr right) {
    return new Binary(BinaryOp.ADD, left, right);
  }

  public static Expr sub(Expr left, Expr right) {
    return new Binary(BinaryOp.SUB, left, right);
  }

  public static Expr mul(Expr left, Expr right) {
    return new Binary(BinaryOp.MUL, left, right);
  }

  public static Expr div(Expr left, Expr right) {
    return new Binary(BinaryOp.DIV, left, right);
  }

  public static Expr rem(Expr left, Expr right) {
    return new Binary(BinaryOp.REM, left, right);
  }

  public static Expr mod(Expr left, Expr right) {
    return new Binary(BinaryOp.MOD, left, right);
  }

  public static Expr pow(Expr left, Expr right) {
    return new Binary(BinaryOp.POW, left, right);
  }

  public static Expr min(Expr left, Expr right) {
    return new Binary(BinaryOp.MIN, left, right);
  }

  public static Expr max(Expr left, Expr right) {
    return new Binary(BinaryOp.MAX, left, right);
  }

  public static Expr atan2(Expr left, Expr right) {
    return new Binary(BinaryOp.ATAN2, left, right);
  }

  public static Expr and(Expr left, Expr right) {
    return new Binary(BinaryOp.AND, left, right);
  }

  public static Expr or(Expr left, Expr right) {
    return new Binary(BinaryOp.OR, left, right);
  }

  public static Expr eq(Expr left, Expr right) {
    return new Binary(BinaryOp.EQ, left, right);
  }

  public static Expr lt(Expr left, Expr right) {
    return new Binary(BinaryOp.LT, left, right);
  }

  public static Expr le(Expr left, Expr right) {
    return new Binary(BinaryOp.LE, left, right);
  }

  public static Expr gt(Expr left, Expr right) {
    return new Binary(BinaryOp.GT, left, right);
  }

  public static Expr ge(Expr left, Expr right) {
    return new Binary(BinaryOp.GE, left, right);
  }
}
