package io.miniinference.bench.measure;

import static java.util.Arrays.stream;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.DoubleStream;

/// Runners that took turns in one process, a slice each: what slows a machine down for a while
/// slows them all. A runner's sample is the median of a slice.
public final class Rounds {
  private final double[][] micros;

  private Rounds(double[][] micros) {
    this.micros = micros;
  }

  /// Lets each warm up, and then run one slice in each round. Every other round goes backwards, so
  /// that none always runs behind the same one.
  public static Rounds run(List<? extends Runner> runners, Timing timing) {
    int count = runners.size();
    double[][] micros = new double[count][timing.rounds()];
    runners.forEach(runner -> runner.run(timing.warmUpSlice()));
    for (int round = 0; round < timing.rounds(); round++) {
      for (int i = 0; i < count; i++) {
        int next = round % 2 == 0 ? i : count - 1 - i;
        micros[next][round] = turn(runners.get(next), timing);
      }
    }
    return new Rounds(micros);
  }

  /// These rounds and then those of a further run of the same runners.
  public Rounds and(Rounds further) {
    double[][] both = new double[micros.length][];
    for (int i = 0; i < both.length; i++) {
      both[i] = DoubleStream.concat(stream(micros[i]), stream(further.micros[i])).toArray();
    }
    return new Rounds(both);
  }

  private static double turn(Runner runner, Timing timing) {
    pause(timing.pause());
    return Quantiles.median(runner.run(timing.slice()));
  }

  private static void pause(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /// The samples of a runner in µs, one a round.
  public double[] micros(int runner) {
    return micros[runner].clone();
  }

  public Spread spread(int runner) {
    return Spread.of(micros[runner]);
  }

  /// The time of one runner over that of another.
  public Ratio ratio(int subject, int peer) {
    return Ratio.of(micros[subject], micros[peer]);
  }
}
