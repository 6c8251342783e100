package io.miniinference.bench.measure;

import java.util.function.Function;

/// Who takes part in rounds, and does the work that is timed.
///
/// @param subject the engine, or a peer with version and way of running
/// @param work does what [#run] says
public record Entrant(String subject, Function<Slice, double[]> work) {

  /// One that repeats work on the calling thread.
  public static Entrant of(String subject, Runnable work) {
    return new Entrant(subject, new InProcess(work, 1)::run);
  }

  /// Runs for one slice.
  ///
  /// @return the time of each run, µs
  public double[] run(Slice slice) {
    return work.apply(slice);
  }
}
