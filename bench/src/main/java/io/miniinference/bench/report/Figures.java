package io.miniinference.bench.report;

import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Spread;
import java.util.Locale;

/// Figures as people read them, with the band beside them.
final class Figures {
  private Figures() {}

  static String text(Spread spread) {
    return spread.samples() == 1
        ? median(spread)
        : "%s (%s–%s)".formatted(text(spread.median()), text(spread.low()), text(spread.high()));
  }

  /// Without the band; whole numbers in full where they are known exactly.
  static String median(Spread spread) {
    double value = spread.median();
    return spread.samples() == 1 && value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : text(value);
  }

  static String text(Ratio ratio) {
    return "%s [%s–%s]".formatted(text(ratio.value()), text(ratio.low()), text(ratio.high()));
  }

  /// Three significant digits below a hundred, whole numbers from there on.
  static String text(double value) {
    double size = Math.abs(value);
    int decimals = value == 0 ? 0 : Math.max(0, 2 - (int) Math.floor(Math.log10(size)));
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
