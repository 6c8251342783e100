package io.miniinference.bench.measure;

import java.util.Arrays;

/// Quantiles of samples, linear between neighbours (type 7 of Hyndman and Fan, 1996).
public final class Quantiles {
  private Quantiles() {}

  public static double median(double... samples) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    return at(sorted, 0.5);
  }

  /// @param sorted ascending, at least one
  /// @param fraction 0 for the least, 1 for the greatest
  public static double at(double[] sorted, double fraction) {
    if (sorted.length == 0) {
      throw new IllegalArgumentException("no samples: measure longer");
    }
    double place = fraction * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
