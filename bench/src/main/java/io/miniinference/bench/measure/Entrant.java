package io.miniinference.bench.measure;

/// Who takes part in rounds, and does the work that is timed.
public interface Entrant {
  /// The engine, or a peer with version and way of running.
  String subject();

  /// Runs for one slice.
  ///
  /// @return the time of each run, µs
  double[] run(Slice slice);

  /// One that repeats work on the calling thread.
  static Entrant of(String subject, Runnable work) {
    return new InProcess(subject, work, 1);
  }
}
