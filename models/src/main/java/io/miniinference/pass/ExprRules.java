package io.miniinference.pass;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.Cast;
import io.miniinference.ir.Expr.Const;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.ir.type.ExprType;
import java.util.List;

/// One step of simplification at the root of an expression, exact to the bit: `x + 0.0` stays,
/// since it makes +0 of −0, while `x + -0.0` and `x − 0.0` go; `x·0` stays for floats, since it
/// keeps NaN; an integer that is cast to another one through a float stays so, since that clamps
/// and does not wrap.
final class ExprRules {
  private ExprRules() {}

  static Expr apply(Expr expr, List<ElementType> operands) {
    return switch (expr) {
      case Expr.Binary(BinaryOp op, Expr left, Expr right) ->
          binary(expr, op, left, right, operands);
      case Expr.Unary(UnaryOp op, Expr.Unary(UnaryOp inner, Expr x)) ->
          op == inner && isInvolution(op) ? x : expr;
      case Expr.Select(Const condition, Expr then, Expr otherwise) ->
          condition.bits() != 0 ? then : otherwise;
      case Expr.Select(Expr condition, Expr then, Expr otherwise) ->
          then.equals(otherwise) && !Fallible.mayFail(condition, operands) ? then : expr;
      case Cast cast -> cast(cast, operands);
      case Expr.Arg _, Expr.At _, Const _, Expr.Index _, Expr.Extent _, Expr.Unary _ -> expr;
    };
  }

  private static boolean isInvolution(UnaryOp op) {
    return op == UnaryOp.NOT || op == UnaryOp.NEG || op == UnaryOp.BIT_NOT;
  }

  private static Expr binary(
      Expr expr, BinaryOp op, Expr left, Expr right, List<ElementType> operands) {
    if (right instanceof Const c && isNeutralRight(op, c)) {
      return left;
    }
    if (left instanceof Const c && isCommutative(op) && isNeutralRight(op, c)) {
      return right;
    }
    boolean absorbs =
        (right instanceof Const r && isAbsorbing(op, r) && !Fallible.mayFail(left, operands));
    return absorbs ? right : expr;
  }

  private static boolean isCommutative(BinaryOp op) {
    return switch (op) {
      case ADD, MUL, AND, OR, XOR, BIT_AND, BIT_OR, BIT_XOR -> true;
      default -> false;
    };
  }

  /* Whether `x op c` is x for every x. */
  private static boolean isNeutralRight(BinaryOp op, Const c) {
    boolean integer = c.type().isInteger();
    return switch (op) {
      case ADD -> integer ? c.bits() == 0 : isFloat(c, -0.0);
      case SUB -> integer ? c.bits() == 0 : isFloat(c, 0.0);
      case MUL, DIV -> integer ? c.bits() == 1 : isFloat(c, 1.0);
      case BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT -> c.bits() == 0;
      case OR, XOR -> c.bits() == 0;
      case AND -> c.bits() == 1;
      default -> false;
    };
  }

  /* Whether `x op c` is c for every x. */
  private static boolean isAbsorbing(BinaryOp op, Const c) {
    return switch (op) {
      case MUL -> c.type().isInteger() && c.bits() == 0;
      case BIT_AND -> c.bits() == 0;
      case AND -> c.bits() == 0;
      case OR -> c.bits() == 1;
      default -> false;
    };
  }

  private static boolean isFloat(Const c, double value) {
    return c.type().isFloat() && c.bits() == Double.doubleToRawLongBits(value);
  }

  private static Expr cast(Cast cast, List<ElementType> operands) {
    Expr x = cast.operand();
    ElementType from = ExprType.of(x, operands);
    if (from == cast.to() && isExact(x, from)) {
      return x;
    }
    if (x instanceof Cast(ElementType middle, Expr inner)) {
      ElementType source = ExprType.of(inner, operands);
      boolean clamps = middle.isFloat() && source.isInteger() && cast.to().isInteger();
      if (isExact(inner, source) && holds(middle, source) && !clamps) {
        return new Cast(cast.to(), inner);
      }
    }
    return cast;
  }

  /* Whether the expression holds no more than its type does: half types are wider in between. */
  private static boolean isExact(Expr x, ElementType type) {
    return !ConstantExpressions.isHalf(type)
        || x instanceof Expr.Arg
        || x instanceof Expr.At
        || x instanceof Const
        || x instanceof Cast;
  }

  /* Whether each value of `narrow` is one of `wide`, so that a cast through it changes nothing. */
  private static boolean holds(ElementType wide, ElementType narrow) {
    if (wide == narrow || narrow == ElementType.BOOL) {
      return true;
    }
    if (narrow.isFloat()) {
      return wide.isFloat()
          && (wide == ElementType.F64 || wide == ElementType.F32)
          && wide.bytes() > narrow.bytes();
    }
    return switch (wide.kind()) {
      case FLOAT ->
          wide == ElementType.F64
              ? narrow.bytes() <= 4
              : wide == ElementType.F32 && narrow.bytes() <= 2;
      case SIGNED -> wide.bytes() > narrow.bytes();
      case UNSIGNED -> narrow.kind() == ElementType.Kind.UNSIGNED && wide.bytes() > narrow.bytes();
      case BOOL -> false;
    };
  }
}
