package io.miniinference.bench.measure;

import java.time.Duration;

/// How long one runner runs in its turn.
///
/// @param settle first runs that do not count: what the other has left behind (threads that still
///   spin, cold caches and clocks) is gone after them
/// @param length runs are timed until this much time is over
/// @param leastRuns timed runs at least, however long they take
/// @param mostBetween each run begins at a random time up to this long after the one before ended.
///   Requests that follow at once fall in step with the clock of a device that looks for new work
///   once in a while, and then take one tick more or less for the smallest difference
public record Slice(Duration settle, Duration length, int leastRuns, Duration mostBetween) {
  /// A slice in which runs follow at once.
  public Slice(Duration settle, Duration length, int leastRuns) {
    this(settle, length, leastRuns, Duration.ZERO);
  }

  /// The same, with lengths in milliseconds.
  public static Slice of(long settle, long length, int leastRuns) {
    return new Slice(Duration.ofMillis(settle), Duration.ofMillis(length), leastRuns);
  }

  public Slice withGaps(Duration mostBetween) {
    return new Slice(settle, length, leastRuns, mostBetween);
  }
}
