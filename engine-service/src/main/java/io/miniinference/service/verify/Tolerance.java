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

  /// Distance of neighbours among 16-bit floats, as a share of theirs. ONNX's own test runner
  /// allows outputs of `BF16` two of them: each step before them rounds, and an engine may round
  /// fewer.
  private static final double UNIT_OF_BF16 = 0x1p-7;

  private static final double UNIT_OF_F16 = 0x1p-10;

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
    if (equals(EXACT)) {
      return this;
    }
    return switch (type) {
      case BF16 ->
          ofMax ? inUnits(UNIT_OF_BF16) : new Tolerance(atLeast(2 * UNIT_OF_BF16), atol, false);
      case F16 -> ofMax ? inUnits(UNIT_OF_F16) : this;
      default -> this;
    };
  }

  /* Two units of the value, and one of the largest. */
  private Tolerance inUnits(double unit) {
    return new Tolerance(atLeast(2 * unit), Math.max(atol, unit), true);
  }

  private double atLeast(double least) {
    return Math.max(rtol, least);
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
