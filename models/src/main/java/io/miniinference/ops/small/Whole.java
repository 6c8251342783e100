package io.miniinference.ops.small;

import static io.miniinference.ir.Exprs.binary;
import static io.miniinference.ir.Exprs.const_;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;

/// Arithmetic on the bits of floats, in integers as wide as these are.
///
/// @param type `I32` or `I64`
public record Whole(ElementType type) {
  /// A number as a constant.
  public Expr of(long value) {
    return const_(type, value);
  }

  /// The bits that a mask has, too.
  public Expr and(Expr x, long mask) {
    return binary(BinaryOp.BIT_AND, x, of(mask));
  }

  /// The bits of both.
  public Expr or(Expr x, long mask) {
    return binary(BinaryOp.BIT_OR, x, of(mask));
  }

  /// Shifted to higher bits.
  public Expr left(Expr x, int places) {
    return binary(BinaryOp.SHIFT_LEFT, x, of(places));
  }

  /// Shifted to lower bits, with the sign's behind it.
  public Expr right(Expr x, int places) {
    return binary(BinaryOp.SHIFT_RIGHT, x, of(places));
  }
}
