package io.miniinference.bench.measure;

import module java.base;

/// Who takes part in rounds, and does the work that is timed.
///
/// @param subject the engine, or a peer with version and way of running
/// @param work does what [#run] says
public record Entrant(String subject, Function<Slice, double[]> work) {
  private static final long SEED = 20_261_122;

  /// One that repeats work on the calling thread.
  public static Entrant of(String subject, Runnable work) {
    return of(subject, 1, work);
  }

  /// One whose work is too short for the clock: a run repeats it some times, and its time is that
  /// of one repetition.
  public static Entrant of(String subject, int repetitions, Runnable work) {
    Runnable all =
        () -> {
          for (int i = 0; i < repetitions; i++) {
            work.run();
          }
        };
    return new Entrant(
        subject, slice -> nanos(all, slice).map(it -> it / 1e3 / repetitions).toArray());
  }

  private static DoubleStream nanos(Runnable work, Slice slice) {
    long settled = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(slice.settleMillis());
    do {
      work.run();
    } while (System.nanoTime() < settled);
    var random = new SplittableRandom(SEED);
    long mostBetween = TimeUnit.MICROSECONDS.toNanos(slice.mostBetweenMicros());
    DoubleStream.Builder nanos = DoubleStream.builder();
    long after = System.nanoTime();
    long end = after + TimeUnit.MILLISECONDS.toNanos(slice.lengthMillis());
    for (int runs = 0; runs < slice.leastRuns() || after < end; runs++) {
      long before = begin(after, random.nextLong(mostBetween + 1));
      work.run();
      after = System.nanoTime();
      nanos.add(after - before);
    }
    return nanos.build();
  }

  /* Waits on the processor, since a sleep of microseconds takes longer. */
  private static long begin(long since, long nanos) {
    long now = since;
    while (now - since < nanos) {
      Thread.onSpinWait();
      now = System.nanoTime();
    }
    return now;
  }

  /// Runs for one slice.
  ///
  /// @return the time of each run, µs
  public double[] run(Slice slice) {
    return work.apply(slice);
  }
}
