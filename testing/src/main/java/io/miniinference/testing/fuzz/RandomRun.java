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

  /// A machine that others use may stand still for as long as an input may take, but hardly each
  /// time for the same one.
  private static final int TRIES = 3;

  private final FuzzTarget target;
  private final long seed;
  private final List<byte[]> seeds = new ArrayList<>();
  private ExecutorService worker = worker();

  RandomRun(FuzzTarget target, long seed) {
    this.target = target;
    this.seed = seed;
  }

  /// The number of inputs that were tried.
  long run(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    Mutator mutator = new Mutator(new Random(seed));
    long tried = 0;
    try {
      for (byte[] each : target.seeds()) {
        attempt(each);
        seeds.add(each);
        tried++;
      }
      for (; System.nanoTime() < end; tried++) {
        byte[] input = mutator.mutated(seeds);
        keep(input, attempt(input));
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
    try {
      for (byte[] input : inputs) {
        attempt(input);
      }
    } finally {
      worker.shutdownNow();
    }
  }

  private static ExecutorService worker() {
    return Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("fuzz").factory());
  }

  private boolean attempt(byte[] input) throws InterruptedException {
    for (int tries = 1; tries < TRIES; tries++) {
      try {
        return once(input);
      } catch (LateException e) {
        replaceWorker();
      }
    }
    try {
      return once(input);
    } catch (LateException e) {
      String what = "over %s, %d times, seed %d".formatted(Trial.LONGEST, TRIES, seed);
      throw Trial.broken(target, input, what, e);
    }
  }

  /* The thread may be held by the input for ever. */
  private void replaceWorker() {
    worker.shutdownNow();
    worker = worker();
  }

  private boolean once(byte[] input) throws InterruptedException, LateException {
    try {
      return worker
          .submit(() -> Trial.run(target, input))
          .get(Trial.LONGEST.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new LateException(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LateException late) {
        throw late;
      }
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e.getCause());
    }
  }

  private void keep(byte[] input, boolean valid) {
    if (valid && input.length <= MOST_SEED_BYTES && seeds.size() < MOST_SEEDS) {
      seeds.add(input);
    }
  }
}
