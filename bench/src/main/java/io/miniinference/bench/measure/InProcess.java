package io.miniinference.bench.measure;

import java.util.Arrays;
import java.util.SplittableRandom;

/// A contestant whose work is done on the calling thread.
///
/// @param work one run
public record InProcess(String name, Runnable work) implements Contestant {
  private static final int FIRST_ROOM = 1 << 10;
  private static final long SEED = 20_261_122;

  @Override
  public double[] run(Slice slice) {
    settle(slice.settle().toNanos());
    var random = new SplittableRandom(SEED);
    double[] micros = new double[FIRST_ROOM];
    long start = System.nanoTime();
    long after = start;
    int runs = 0;
    while (runs < slice.leastRuns() || after - start < slice.length().toNanos()) {
      long before = begin(after, random.nextLong(slice.mostBetween().toNanos() + 1));
      work.run();
      after = System.nanoTime();
      if (runs == micros.length) {
        micros = Arrays.copyOf(micros, 2 * runs);
      }
      micros[runs++] = (after - before) / 1e3;
    }
    return Arrays.copyOf(micros, runs);
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
      work.run();
    } while (System.nanoTime() - start < nanos);
  }
}
