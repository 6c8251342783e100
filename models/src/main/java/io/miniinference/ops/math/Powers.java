package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sqrt;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import java.util.Optional;

/// Powers of a constant exponent as products, which cost a hundredth of what a power does:
/// exporters write squares and cubes as [Pow](https://onnx.ai/onnx/operators/onnx__Pow.html).
///
/// A square, a root, an inverse and the base itself are rounded once, as the power is; a cube, and
/// what is made of several roots, such as the three quarters of a local response normalisation, two
/// or three times.
public final class Powers {
  private Powers() {}

  /// Quarters of a power as roots.
  ///
  /// @param base not negative, or NaN; read up to twice
  /// @return empty where the power has no such form
  public static Optional<Expr> ofPositive(Expr base, ElementType type, double exponent) {
    if (!keepsRoots(type)) {
      return Optional.empty();
    }
    if (exponent == 0.5) {
      return Optional.of(sqrt(base));
    }
    if (exponent == 0.25) {
      return Optional.of(sqrt(sqrt(base)));
    }
    return exponent == 0.75
        ? Optional.of(mul(sqrt(base), sqrt(sqrt(base))))
        : of(base, type, exponent);
  }

  /// @param base read some times
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
    if (exponent == 0.5 && type.isFloat()) {
      return Optional.of(root(base, type));
    }
    if (exponent == -1 && type.isFloat()) {
      return Optional.of(div(const_(type, 1.0), base));
    }
    return keepsRoots(type) ? ofRoots(base, type, exponent) : Optional.empty();
  }

  /* Others round them. */
  private static boolean keepsRoots(ElementType type) {
    return type == ElementType.F32 || type == ElementType.F64;
  }

  private static Optional<Expr> ofRoots(Expr base, ElementType type, double exponent) {
    Expr root = root(base, type);
    if (exponent == 0.25) {
      return Optional.of(sqrt(root));
    }
    if (exponent == 0.75) {
      return Optional.of(mul(root, sqrt(root)));
    }
    if (exponent == 1.5) {
      return Optional.of(mul(abs(base), root));
    }
    return exponent == -0.5 ? Optional.of(div(const_(type, 1.0), root)) : Optional.empty();
  }

  /* Of −0 a power is 0, and of −∞ it is ∞. */
  private static Expr root(Expr base, ElementType type) {
    Expr infinity = const_(type, Double.POSITIVE_INFINITY);
    Expr magnitude = select(eq(base, neg(infinity)), infinity, base);
    return abs(sqrt(magnitude));
  }
}
