package io.miniinference.bench.pool;

import io.miniinference.bench.measure.Contestant;
import io.miniinference.bench.measure.InProcess;
import io.miniinference.bench.measure.Slice;

/// A contestant whose work is too short for the clock: a run is many repetitions, and its time is
/// that of one.
record Repeated(String name, int repetitions, Runnable work) implements Contestant {
  @Override
  public double[] run(Slice slice) {
    double[] micros = new InProcess(name, this::repeat).run(slice);
    for (int i = 0; i < micros.length; i++) {
      micros[i] /= repetitions;
    }
    return micros;
  }

  private void repeat() {
    for (int i = 0; i < repetitions; i++) {
      work.run();
    }
  }
}
