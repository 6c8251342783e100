package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import java.util.Optional;

/// Powers of a constant exponent as products, which cost a hundredth of what a power does:
/// exporters write squares and cubes as [Pow](https://onnx.ai/onnx/operators/onnx__Pow.html).
///
/// A square, an inverse and the base itself are rounded once, as the power is; a cube twice.
final class Powers {
  private Powers() {}

  /// @param base read up to three times
  /// @return empty where the power has no such form
  static Optional<Expr> of(Expr base, ElementType type, double exponent) {
    if (exponent == 1) {
      return Optional.of(base);
    }
    if (exponent == 2) {
      return Optional.of(mul(base, base));
    }
    if (exponent == 3) {
      return Optional.of(mul(mul(base, base), base));
    }
    return exponent == -1 && type.isFloat()
        ? Optional.of(div(const_(type, 1.0), base))
        : Optional.empty();
  }
}
