package io.miniinference.bench.measure;

import java.util.Arrays;

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
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    return new Spread(
        Quantiles.at(sorted, 0.5),
        Quantiles.at(sorted, TAIL),
        Quantiles.at(sorted, 1 - TAIL),
        sorted.length);
  }

  /// What has no spread, such as a number of bytes.
  public static Spread exact(double value) {
    return new Spread(value, value, value, 1);
  }
}
