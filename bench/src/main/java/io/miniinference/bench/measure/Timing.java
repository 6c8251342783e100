package io.miniinference.bench.measure;

import java.time.Duration;

/// How runners take turns.
///
/// @param rounds turns of each; a ratio has as many pairs
/// @param warmUp how long each runs before the first round
/// @param pause before each turn, in which nothing runs
/// @param slice one turn
public record Timing(int rounds, Duration warmUp, Duration pause, Slice slice) {
  /// Lengths in milliseconds.
  public static Timing of(int rounds, long warmUp, long pause, Slice slice) {
    return new Timing(rounds, Duration.ofMillis(warmUp), Duration.ofMillis(pause), slice);
  }

  Slice warmUpSlice() {
    return new Slice(Duration.ZERO, warmUp, 1);
  }
}
