package io.miniinference.ir;

import io.miniinference.layout.Affine;
import java.util.List;

/// A scalar computation at one output index: what an elementwise operator, an epilogue, a
/// reduction's element map or a computed movement does.
///
/// Every expression has one [ElementType], found by [io.miniinference.ir.type.ExprType]. Operands
/// of a binary expression have the same type; a comparison gives `BOOL`. Integer arithmetic wraps
/// at the type's width. What OpenCL leaves undefined has one result on every device: the smallest
/// integer divided by −1 is itself and its remainder 0; a shift by the width or more gives 0; a
/// cast of NaN to an integer gives 0 and of what is out of range the nearest bound.
public sealed interface Expr {

  /// Operand `index` at the output index, numpy-broadcast (aligned at the last axis).
  record Arg(int index) implements Expr {}

  /// Operand `index` at computed coordinates (`I64`, one per axis of that operand, in bounds by
  /// construction).
  record At(int index, List<Expr> coordinates) implements Expr {
    public At {
      coordinates = List.copyOf(coordinates);
    }
  }

  /// A constant. Integers and booleans are held in `bits` as a (sign-extended) long, floats as the
  /// raw bits of the double that equals them.
  record Const(ElementType type, long bits) implements Expr {
    /// `value` in `type`: rounded if a float, truncated if an integer, `≠ 0` if a boolean.
    public static Const of(ElementType type, double value) {
      return new Const(type, ConstBits.of(type, value));
    }

    /// `value` in `type`, wrapped to its width.
    public static Const of(ElementType type, long value) {
      return new Const(type, ConstBits.of(type, value));
    }

    public static Const of(long value) {
      return new Const(ElementType.I64, value);
    }

    public double asDouble() {
      return type.isFloat() ? Double.longBitsToDouble(bits) : bits;
    }
  }

  /// The output index along `axis`, an `I64`.
  record Index(int axis) implements Expr {}

  /// A size that may depend on the batch, an `I64`.
  record Extent(Affine value) implements Expr {}

  record Unary(UnaryOp op, Expr operand) implements Expr {}

  record Binary(BinaryOp op, Expr left, Expr right) implements Expr {}

  /// `condition ? then : otherwise`. Only the chosen side needs to be defined.
  record Select(Expr condition, Expr then, Expr otherwise) implements Expr {}

  /// Conversion: float to integer truncates toward zero and clamps (NaN gives 0), integer to
  /// integer wraps, anything to `BOOL` is `≠ 0`.
  record Cast(ElementType to, Expr operand) implements Expr {}

  /// Functions of one operand. The result has the operand's type except where noted.
  enum UnaryOp {
    NEG,
    ABS,
    /// −1, 0 or 1; NaN stays.
    SIGN,
    /// Logical, on `BOOL`.
    NOT,
    BIT_NOT,
    SQRT,
    /// `1/x`.
    RECIPROCAL,
    EXP,
    EXPM1,
    LOG,
    LOG1P,
    SIN,
    COS,
    TAN,
    ASIN,
    ACOS,
    ATAN,
    SINH,
    COSH,
    TANH,
    ASINH,
    ACOSH,
    ATANH,
    ERF,
    CEIL,
    FLOOR,
    /// Half to even.
    ROUND,
    TRUNC,
    /// `BOOL`.
    IS_NAN,
    /// `BOOL`; either sign.
    IS_INF,
    /// The bits of an `F32` or `F64`, an `I32` or `I64`. Which of the many NaNs one is, devices
    /// choose.
    BITS,
    /// The `F32` or `F64` that has the bits of an `I32` or `I64`.
    OF_BITS
  }

  /// Functions of two operands of one type.
  enum BinaryOp {
    ADD,
    SUB,
    MUL,
    /// Integers truncate toward zero.
    DIV,
    /// Remainder with the sign of the dividend (C's `%`, `fmod`).
    REM,
    /// Remainder with the sign of the divisor (Python's `%`).
    MOD,
    POW,
    /// NaN if either is NaN.
    MIN,
    /// NaN if either is NaN.
    MAX,
    ATAN2,
    AND,
    OR,
    XOR,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    SHIFT_LEFT,
    /// Logical for unsigned types, arithmetic for signed ones.
    SHIFT_RIGHT,
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE;

    /// Whether the result is `BOOL` whatever the operands are.
    public boolean isComparison() {
      return ordinal() >= EQ.ordinal();
    }
  }
}
