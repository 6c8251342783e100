package io.miniinference.ops.math;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Op.ReduceKind;

/// What leaves every other element as it is when it is joined with it.
final class Neutral {
  private Neutral() {}

  static Expr of(ReduceKind kind, ElementType type) {
    return switch (kind) {
      case SUM -> Exprs.const_(type, 0.0);
      case PRODUCT -> Exprs.const_(type, 1.0);
      case MAX, ARG_MAX, ARG_MAX_LAST -> least(type);
      case MIN, ARG_MIN, ARG_MIN_LAST -> largest(type);
    };
  }

  private static Expr least(ElementType type) {
    return switch (type) {
      case F64, F32, F16, BF16 -> Expr.Const.of(type, Double.NEGATIVE_INFINITY);
      case I64 -> new Expr.Const(type, Long.MIN_VALUE);
      case I32 -> new Expr.Const(type, Integer.MIN_VALUE);
      case I16 -> new Expr.Const(type, Short.MIN_VALUE);
      case I8 -> new Expr.Const(type, Byte.MIN_VALUE);
      case U8, U16, U32, U64, BOOL -> new Expr.Const(type, 0);
    };
  }

  private static Expr largest(ElementType type) {
    return switch (type) {
      case F64, F32, F16, BF16 -> Expr.Const.of(type, Double.POSITIVE_INFINITY);
      case I64 -> new Expr.Const(type, Long.MAX_VALUE);
      case I32 -> new Expr.Const(type, Integer.MAX_VALUE);
      case I16 -> new Expr.Const(type, Short.MAX_VALUE);
      case I8 -> new Expr.Const(type, Byte.MAX_VALUE);
      case U8 -> new Expr.Const(type, 0xFF);
      case U16 -> new Expr.Const(type, 0xFFFF);
      case U32 -> new Expr.Const(type, 0xFFFF_FFFFL);
      case U64 -> new Expr.Const(type, -1);
      case BOOL -> new Expr.Const(type, 1);
    };
  }
}
