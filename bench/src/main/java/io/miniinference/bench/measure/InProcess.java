package io.miniinference.bench.measure;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.util.SplittableRandom;
import java.util.stream.DoubleStream;

/// Runs work on the calling thread.
///
/// @param work one repetition
/// @param repetitions of a run, more than one where the work is too short for the clock; the time
///   of a run is then that of one
public record InProcess(Runnable work, int repetitions) {
  private static final long SEED = 20_261_122;

  /// @return the time of each run, µs
  public double[] run(Slice slice) {
    long settled = System.nanoTime() + MILLISECONDS.toNanos(slice.settleMillis());
    do {
      repeat();
    } while (System.nanoTime() < settled);
    var random = new SplittableRandom(SEED);
    long mostBetween = MICROSECONDS.toNanos(slice.mostBetweenMicros());
    DoubleStream.Builder micros = DoubleStream.builder();
    long after = System.nanoTime();
    long end = after + MILLISECONDS.toNanos(slice.lengthMillis());
    for (int runs = 0; runs < slice.leastRuns() || after < end; runs++) {
      long before = begin(after, random.nextLong(mostBetween + 1));
      repeat();
      after = System.nanoTime();
      micros.add((after - before) / 1e3 / repetitions);
    }
    return micros.build().toArray();
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

  private void repeat() {
    for (int i = 0; i < repetitions; i++) {
      work.run();
    }
  }
}
