package io.miniinference.bench.measure;

/// How long one runner runs in its turn.
///
/// @param settleMillis first runs that do not count: what the other has left behind (threads that
///   still spin, cold caches and clocks) is gone after them
/// @param lengthMillis runs are timed until this much time is over
/// @param leastRuns timed runs at least, however long they take
/// @param mostBetweenMicros each run begins at a random time up to this long after the one before
///   ended. Requests that follow at once fall in step with the clock of a device that looks for new
///   work once in a while, and then take one tick more or less for the smallest difference
public record Slice(long settleMillis, long lengthMillis, int leastRuns, long mostBetweenMicros) {
  /// A slice in which runs follow at once.
  public Slice(long settleMillis, long lengthMillis, int leastRuns) {
    this(settleMillis, lengthMillis, leastRuns, 0);
  }
}
