package io.miniinference.ir.type;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
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
import io.miniinference.ir.ExprText;
import java.util.List;

/// The element type of an expression, given those of its operands.
public final class ExprType {
  private final List<ElementType> operands;

  private ExprType(List<ElementType> operands) {
    this.operands = operands;
  }

  /// @throws IllegalArgumentException naming the part of the expression that does not fit
  public static ElementType of(Expr expr, List<ElementType> operands) {
    return new ExprType(operands).of(expr);
  }

  private ElementType of(Expr expr) {
    return switch (expr) {
      case Arg arg -> operand(arg, arg.index());
      case At at -> at(at);
      case Const constant -> constant.type();
      case Index index -> check(index.axis() >= 0, expr, "has no such axis", ElementType.I64);
      case Extent _ -> ElementType.I64;
      case Unary unary -> unary(unary, of(unary.operand()));
      case Binary binary -> binary(binary);
      case Select select -> select(select);
      case Cast cast -> cast(cast);
    };
  }

  private ElementType operand(Expr expr, int index) {
    if (index < 0 || index >= operands.size()) {
      throw wrong(expr, "there are " + operands.size() + " operands");
    }
    return operands.get(index);
  }

  private ElementType at(At at) {
    for (Expr coordinate : at.coordinates()) {
      require(at, of(coordinate), ElementType.I64, "coordinate");
    }
    return operand(at, at.index());
  }

  private ElementType cast(Cast cast) {
    of(cast.operand());
    return cast.to();
  }

  private ElementType select(Select select) {
    require(select, of(select.condition()), ElementType.BOOL, "condition");
    return same(select, of(select.then()), of(select.otherwise()));
  }

  private static ElementType unary(Unary unary, ElementType x) {
    return switch (unary.op()) {
      case NOT -> check(x == ElementType.BOOL, unary, "needs bool, not " + x, x);
      case BIT_NOT -> check(x.isInteger(), unary, "needs an integer, not " + x, x);
      case NEG, ABS, SIGN -> check(x != ElementType.BOOL, unary, "needs a number, not bool", x);
      case IS_NAN, IS_INF -> check(x.isFloat(), unary, "needs a float, not " + x, ElementType.BOOL);
      case BITS -> bits(unary, x);
      case OF_BITS -> ofBits(unary, x);
      case SQRT,
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
          ROUND,
          TRUNC ->
          check(x.isFloat(), unary, "needs a float, not " + x, x);
    };
  }

  private static ElementType bits(Unary unary, ElementType x) {
    return switch (x) {
      case F32 -> ElementType.I32;
      case F64 -> ElementType.I64;
      default -> throw wrong(unary, "needs f32 or f64, not " + x);
    };
  }

  private static ElementType ofBits(Unary unary, ElementType x) {
    return switch (x) {
      case I32 -> ElementType.F32;
      case I64 -> ElementType.F64;
      default -> throw wrong(unary, "needs i32 or i64, not " + x);
    };
  }

  private ElementType binary(Binary binary) {
    ElementType x = same(binary, of(binary.left()), of(binary.right()));
    BinaryOp op = binary.op();
    return switch (op) {
      case ADD, SUB, MUL, DIV, REM, MOD, POW ->
          check(x != ElementType.BOOL, binary, "needs numbers, not bool", x);
      case MIN, MAX -> x;
      case ATAN2 -> check(x.isFloat(), binary, "needs floats, not " + x, x);
      case AND, OR, XOR -> check(x == ElementType.BOOL, binary, "needs bool, not " + x, x);
      case BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT ->
          check(x.isInteger(), binary, "needs integers, not " + x, x);
      case EQ, NE, LT, LE, GT, GE -> ElementType.BOOL;
    };
  }

  private static ElementType same(Expr expr, ElementType left, ElementType right) {
    return check(left == right, expr, "mixes " + left + " and " + right, left);
  }

  private static void require(Expr expr, ElementType got, ElementType needed, String what) {
    if (got != needed) {
      throw wrong(expr, what + " must be " + needed + ", is " + got);
    }
  }

  private static ElementType check(boolean ok, Expr expr, String reason, ElementType result) {
    if (!ok) {
      throw wrong(expr, reason);
    }
    return result;
  }

  private static IllegalArgumentException wrong(Expr expr, String reason) {
    return new IllegalArgumentException("expression '" + ExprText.print(expr) + "': " + reason);
  }
}
