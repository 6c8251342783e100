package io.miniinference.budget;

import java.time.Duration;

/// The most that the load of one model may take. What is reached first ends the load.
///
/// @param time by the clock
/// @param work in steps of about a nanosecond on one core, as [LoadBudget#spend] counts them. It is
///   the same on every machine, so that a file is refused everywhere or nowhere
/// @param bytes that the load's thread may take from the heap in all, those that it gave back
///   included
public record LoadLimits(Duration time, long work, long bytes) {
  private static final LoadLimits DEFAULTS =
      new LoadLimits(Duration.ofMinutes(2), 20_000_000_000L, 64L << 30);

  public LoadLimits {
    if (time.isNegative() || time.isZero() || work < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "limits of a load must be positive: time=%s work=%d bytes=%d"
              .formatted(time, work, bytes));
    }
  }

  /// Two minutes, 20 thousand million steps, 64 GiB.
  public static LoadLimits defaults() {
    return DEFAULTS;
  }
}
