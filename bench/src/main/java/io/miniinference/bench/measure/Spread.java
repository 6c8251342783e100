package io.miniinference.bench.measure;

import module java.base;

/// A figure with its spread: the median of samples, and the band in which nine of ten of them lie.
///
/// @param low 5th percentile
/// @param high 95th percentile
/// @param samples how many; 1 for what is known exactly
public record Spread(double median, double low, double high, int samples) {
  private static final double TAIL = 0.05;

  public Spread {
    if (!(low <= median && median <= high) || samples < 1) {
      throw new IllegalArgumentException(
          "median %s, band %s to %s, of %d samples is no spread"
              .formatted(median, low, high, samples));
    }
  }

  /// @param samples at least one
  public static Spread of(double... samples) {
    double[] sorted = sorted(samples);
    return new Spread(
        quantile(sorted, 0.5), quantile(sorted, TAIL), quantile(sorted, 1 - TAIL), sorted.length);
  }

  /// @param samples at least one
  public static Spread of(DoubleStream samples) {
    return of(samples.toArray());
  }

  /// What has no spread, such as a number of bytes.
  public static Spread exact(double value) {
    return new Spread(value, value, value, 1);
  }

  public static double median(double... samples) {
    return quantile(sorted(samples), 0.5);
  }

  public static double[] sorted(double... samples) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  /// A quantile of samples, linear between neighbours (type 7 of Hyndman and Fan, 1996).
  ///
  /// @param sorted ascending, at least one
  /// @param fraction 0 for the least, 1 for the greatest
  public static double quantile(double[] sorted, double fraction) {
    if (sorted.length == 0) {
      throw new IllegalArgumentException("no samples: measure longer");
    }
    double place = fraction * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /// As people read it, with the band in brackets.
  public String text() {
    return samples == 1
        ? medianText()
        : "%s (%s–%s)".formatted(text(median), text(low), text(high));
  }

  /// Without the band; whole numbers in full where they are known exactly.
  public String medianText() {
    return samples == 1 && median == Math.rint(median)
        ? String.format(Locale.ROOT, "%,.0f", median)
        : text(median);
  }

  /// Three significant digits below a hundred, whole numbers from there on.
  static String text(double value) {
    double size = Math.abs(value);
    int decimals = value == 0 ? 0 : Math.max(0, 2 - (int) Math.floor(Math.log10(size)));
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
