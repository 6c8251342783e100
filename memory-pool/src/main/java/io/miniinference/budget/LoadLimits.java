package io.miniinference.budget;

import java.time.Duration;

/// The most that the load of one model may take. What is reached first ends the load.
///
/// @param time by the clock
/// @param work in steps of about a nanosecond on one core, as [LoadBudget#spend] counts them. It is
///   the same on every machine, so that a file is refused everywhere or nowhere
/// @param bytes that the load's thread may take from the heap in all, those that it gave back
///   included
/// @param operations that one request for one row may take of the device, each loop's body once: a
///   model of more is refused
public record LoadLimits(Duration time, long work, long bytes, long operations) {
  private static final long MOST_OPERATIONS = 2_000_000_000_000L;

  private static final LoadLimits DEFAULTS =
      new LoadLimits(Duration.ofMinutes(2), 20_000_000_000L, 64L << 30);

  /// The usual bound on a request's operations.
  public LoadLimits(Duration time, long work, long bytes) {
    this(time, work, bytes, MOST_OPERATIONS);
  }

  public LoadLimits {
    if (time.isNegative() || time.isZero() || work < 1 || bytes < 1 || operations < 1) {
      throw new IllegalArgumentException(
          "limits of a load must be positive: time=%s work=%d bytes=%d operations=%d"
              .formatted(time, work, bytes, operations));
    }
  }

  /// Two minutes, 20 thousand million steps, 64 GiB; 2 million million operations a request.
  public static LoadLimits defaults() {
    return DEFAULTS;
  }
}
