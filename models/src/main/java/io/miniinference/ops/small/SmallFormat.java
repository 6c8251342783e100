package io.miniinference.ops.small;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;

/// What codes of small floats stand for.
sealed interface SmallFormat permits FloatFormat, PowerFormat {

  /// The number of a code of 8 bits; of those that a format has no use for, the higher ones do not
  /// count.
  float value(int code);

  /// The code of a number, an `I32` or `I64`.
  ///
  /// @param real type of `x`, `F32` or `F64`
  /// @param saturates whether what is out of range becomes the number that is nearest to it
  Expr code(Expr x, ElementType real, boolean saturates);
}
