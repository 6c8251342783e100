package io.miniinference.testing.fuzz;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Seeds as they are, and then changed at random; what is valid becomes a seed.
final class RandomRun {
  private static final int MOST_SEEDS = 5_000;
  private static final int MOST_SEED_BYTES = 64 << 10;

  private final FuzzTarget target;
  private final long seed;
  private final List<byte[]> seeds = new ArrayList<>();

  RandomRun(FuzzTarget target, long seed) {
    this.target = target;
    this.seed = seed;
  }

  /// The number of inputs that were tried.
  long run(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    Mutator mutator = new Mutator(new Random(seed));
    long tried = 0;
    ExecutorService worker = worker();
    try {
      for (byte[] each : target.seeds()) {
        attempt(worker, each);
        seeds.add(each);
        tried++;
      }
      for (; System.nanoTime() < end; tried++) {
        byte[] input = mutator.mutated(seeds);
        keep(input, attempt(worker, input));
      }
    } finally {
      worker.shutdownNow();
    }
    System.out.printf(
        "%s: %d inputs, seed %d, %d seeds at the end%n",
        target.getClass().getSimpleName(), tried, seed, seeds.size());
    return tried;
  }

  /// Each input as it is.
  void replay(List<byte[]> inputs) throws InterruptedException {
    ExecutorService worker = worker();
    try {
      for (byte[] input : inputs) {
        attempt(worker, input);
      }
    } finally {
      worker.shutdownNow();
    }
  }

  private static ExecutorService worker() {
    return Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("fuzz").factory());
  }

  private boolean attempt(ExecutorService worker, byte[] input) throws InterruptedException {
    try {
      return worker
          .submit(() -> Trial.run(target, input))
          .get(Trial.LONGEST.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw Trial.broken(target, input, "over " + Trial.LONGEST + ", seed " + seed, null);
    } catch (ExecutionException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e.getCause());
    }
  }

  private void keep(byte[] input, boolean valid) {
    if (valid && input.length <= MOST_SEED_BYTES && seeds.size() < MOST_SEEDS) {
      seeds.add(input);
    }
  }
}
