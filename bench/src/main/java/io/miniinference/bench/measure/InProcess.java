package io.miniinference.bench.measure;

import java.util.Arrays;

/// A contestant whose work is done on the calling thread.
///
/// @param work one run
public record InProcess(String name, Runnable work) implements Contestant {
  private static final int FIRST_ROOM = 1 << 10;

  @Override
  public double[] run(Slice slice) {
    settle(slice.settle().toNanos());
    double[] micros = new double[FIRST_ROOM];
    long start = System.nanoTime();
    long before = start;
    int runs = 0;
    while (runs < slice.leastRuns() || before - start < slice.length().toNanos()) {
      work.run();
      long after = System.nanoTime();
      if (runs == micros.length) {
        micros = Arrays.copyOf(micros, 2 * runs);
      }
      micros[runs++] = (after - before) / 1e3;
      before = after;
    }
    return Arrays.copyOf(micros, runs);
  }

  private void settle(long nanos) {
    long start = System.nanoTime();
    do {
      work.run();
    } while (System.nanoTime() - start < nanos);
  }
}
