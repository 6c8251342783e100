package io.miniinference.bench.measure;

import module java.base;

/// The ratio of two medians over pairs of samples that were taken in turn, with the interval in
/// which it lies with 95 % confidence.
///
/// The interval is the percentile bootstrap's (Efron, 1979) over whole pairs: what disturbed both
/// halves of a pair does not widen it.
///
/// @param value median of the subject over median of the peer; below 1 the subject takes less
/// @param low lower end of the interval, as `high` is its upper end
public record Ratio(double value, double low, double high, int pairs) {
  private static final int RESAMPLES = 4_000;
  private static final double TAIL = 0.025;
  private static final long SEED = 20_261_120;

  public Ratio {
    if (!(low <= high) || pairs < 1) {
      throw new IllegalArgumentException(
          "ratio %s in [%s, %s] over %d pairs is none".formatted(value, low, high, pairs));
    }
  }

  /// @param subject one sample per pair
  /// @param peer the other halves of the pairs, in the same order
  public static Ratio of(double[] subject, double[] peer) {
    if (subject.length != peer.length) {
      throw new IllegalArgumentException(
          "%d samples against %d are no pairs".formatted(subject.length, peer.length));
    }
    double[] ratios = resampled(subject, peer);
    return new Ratio(
        Spread.median(subject) / Spread.median(peer),
        Spread.quantile(ratios, TAIL),
        Spread.quantile(ratios, 1 - TAIL),
        subject.length);
  }

  /// Ratios of medians over pairs drawn with replacement, ascending; the same on every call.
  private static double[] resampled(double[] subject, double[] peer) {
    var random = new SplittableRandom(SEED);
    int pairs = subject.length;
    return Stream.generate(() -> random.ints(pairs, 0, pairs).toArray())
        .limit(RESAMPLES)
        .mapToDouble(drawn -> median(subject, drawn) / median(peer, drawn))
        .sorted()
        .toArray();
  }

  private static double median(double[] samples, int[] drawn) {
    return Spread.median(Arrays.stream(drawn).mapToDouble(i -> samples[i]).toArray());
  }

  /// As people read it, with the interval in brackets.
  public String text() {
    return "%s [%s–%s]".formatted(Spread.text(value), Spread.text(low), Spread.text(high));
  }
}
