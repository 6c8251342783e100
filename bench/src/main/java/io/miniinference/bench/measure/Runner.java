package io.miniinference.bench.measure;

/// Does the work that is timed.
@FunctionalInterface
public interface Runner {
  /// Runs for one slice.
  ///
  /// @return the time of each run, µs
  double[] run(Slice slice);
}
