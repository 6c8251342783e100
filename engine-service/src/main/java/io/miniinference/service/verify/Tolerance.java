package io.miniinference.service.verify;

import io.miniinference.ir.ElementType;
import io.miniinference.lower.Precision;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How far a float may lie from the expected one: `|x - y| <= rtol · |y| + atol`.
///
/// @param ofMax whether `atol` is a share of the largest expected magnitude
record Tolerance(double rtol, double atol, boolean ofMax) {
  private static final String NUMBER = "([0-9.]+(?:[eE][-+]?[0-9]+)?)";
  private static final Pattern TEXT =
      Pattern.compile("rtol " + NUMBER + ", atol " + NUMBER + "(.*)");

  static final Tolerance EXACT = new Tolerance(0, 0, false);

  /// Where nothing else is said.
  static final Tolerance DEFAULT = new Tolerance(1e-3, 1e-5, true);

  /// Of networks whose products are rounded to TF32, layer after layer: one hundredth, where each
  /// product alone is within a thousandth of the sum of its magnitudes.
  private static final Tolerance TF32 = new Tolerance(1e-2, 1e-2, true);

  /// Of networks whose steps hand on seven bits after the point, of which each layer loses some.
  private static final Tolerance BF16 = new Tolerance(5e-2, 5e-2, true);

  /// Two units in the last place of a `BF16`, which ONNX's own test runner allows such outputs:
  /// each step before them rounds to eight bits, and an engine may round fewer.
  private static final double TWO_UNITS_OF_BF16 = 0x1p-6;

  /// The tolerance with which answers of that precision are held to those of `f32`.
  Tolerance at(Precision precision) {
    if (equals(EXACT)) {
      return this;
    }
    return switch (precision) {
      case F32, DIRECT -> this;
      case TF32, F16 -> TF32;
      case BF16 -> BF16;
    };
  }

  /// The tolerance with which outputs of that type are held to what is expected.
  Tolerance ofOutputs(ElementType type) {
    return type == ElementType.BF16 && !equals(EXACT)
        ? new Tolerance(Math.max(rtol, TWO_UNITS_OF_BF16), atol, ofMax)
        : this;
  }

  /// Reads `rtol 1e-4, atol 1e-5` or `rtol 1e-4, atol 1e-5 * max|expected|`.
  static Optional<Tolerance> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    boolean ofMax = matcher.group(3).contains("max");
    return Optional.of(
        new Tolerance(
            Double.parseDouble(matcher.group(1)), Double.parseDouble(matcher.group(2)), ofMax));
  }

  /// Whether `actual` may stand for `expected`. NaN equals NaN, and an infinity itself.
  ///
  /// @param max largest finite expected magnitude
  boolean allows(double actual, double expected, double max) {
    if (actual == expected || (Double.isNaN(actual) && Double.isNaN(expected))) {
      return true;
    }
    double slack = rtol * Math.abs(expected) + (ofMax ? atol * max : atol);
    return Double.isFinite(expected) && Math.abs(actual - expected) <= slack;
  }
}
