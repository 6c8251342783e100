package io.miniinference.bench.measure;

import java.time.Duration;

/// How contestants take turns.
///
/// @param rounds turns of each; a ratio has as many pairs
/// @param warmUp how long each runs before the first round
/// @param pause before each turn, in which nobody runs
/// @param slice one turn
public record Pace(int rounds, Duration warmUp, Duration pause, Slice slice) {
  Slice warmUpSlice() {
    return new Slice(Duration.ZERO, warmUp, 1);
  }
}
