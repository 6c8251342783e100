package io.miniinference.bench.measure;

import java.util.SplittableRandom;
import java.util.stream.DoubleStream;

/// Runs work on the calling thread.
///
/// @param work one repetition
/// @param repetitions of a run, more than one where the work is too short for the clock; the time
///   of a run is then that of one
public record InProcess(String subject, Runnable work, int repetitions) implements Entrant {
  private static final long SEED = 20_261_122;

  @Override
  public double[] run(Slice slice) {
    settle(slice.settle().toNanos());
    var random = new SplittableRandom(SEED);
    DoubleStream.Builder micros = DoubleStream.builder();
    long start = System.nanoTime();
    long after = start;
    for (int runs = 0;
        runs < slice.leastRuns() || after - start < slice.length().toNanos();
        runs++) {
      long before = begin(after, random.nextLong(slice.mostBetween().toNanos() + 1));
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

  private void settle(long nanos) {
    long start = System.nanoTime();
    do {
      repeat();
    } while (System.nanoTime() - start < nanos);
  }

  private void repeat() {
    for (int i = 0; i < repetitions; i++) {
      work.run();
    }
  }
}
