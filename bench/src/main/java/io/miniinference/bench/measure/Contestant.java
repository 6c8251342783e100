package io.miniinference.bench.measure;

/// Somebody who does the work that is timed.
public interface Contestant {

  /// As tables show it.
  String name();

  /// Runs for one slice.
  ///
  /// @return the time of each run, µs
  double[] run(Slice slice);
}
