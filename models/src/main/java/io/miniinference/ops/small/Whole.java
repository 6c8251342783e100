package io.miniinference.ops.small;

import static io.miniinference.ir.Exprs.binary;
import static io.miniinference.ir.Exprs.const_;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;

/// Arithmetic on the bits of floats, in integers as wide as these are.
///
/// @param type `I32` or `I64`
record Whole(ElementType type) {

  Expr of(long value) {
    return const_(type, value);
  }

  Expr and(Expr x, long mask) {
    return binary(BinaryOp.BIT_AND, x, of(mask));
  }

  Expr or(Expr x, long mask) {
    return binary(BinaryOp.BIT_OR, x, of(mask));
  }

  Expr left(Expr x, int places) {
    return binary(BinaryOp.SHIFT_LEFT, x, of(places));
  }

  Expr right(Expr x, int places) {
    return binary(BinaryOp.SHIFT_RIGHT, x, of(places));
  }
}
