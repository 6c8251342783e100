package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/// Many threads share a pool: no byte has two owners, and nothing is lost.
class ConcurrencyTest {
  private static final int THREADS = 8;
  private static final int STEPS = 5000;
  private static final int UNITS = 1024;

  private final MemoryPool pool = new MemoryPool(UNITS * 256L);
  private final HeldBlocks held = new HeldBlocks(pool, UNITS * 64L);
  private final AtomicIntegerArray ownerOfUnit = new AtomicIntegerArray(UNITS);

  @Test
  void noByteHasTwoOwnersAndNothingLeaks() throws Exception {
    long seed = System.nanoTime();
    List<Callable<Integer>> workers = new ArrayList<>();
    for (int i = 1; i <= THREADS; i++) {
      workers.add(new Worker(i, seed + i));
    }
    int granted = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Integer> done : threads.invokeAll(workers)) {
        granted += result(done, seed);
      }
    }
    pool.validateIntegrity();
    assertThat(granted).as("seed %d", seed).isGreaterThan(THREADS * STEPS / 10);
    assertThat(pool.statistics().usedBytes()).as("seed %d", seed).isZero();
    assertThat(pool.statistics().usedBlocks()).isZero();
    PoolStatistics.Events events = pool.statistics().events();
    assertThat(events.frees()).isEqualTo(events.allocations());
    held.close();
    assertThat(pool.memoryMap().blocks()).hasSize(1);
    pool.close();
    assertThat(pool.leaks()).isEmpty();
  }

  private static int result(Future<Integer> done, long seed) throws InterruptedException {
    try {
      return done.get();
    } catch (ExecutionException e) {
      throw new AssertionError("seed " + seed + ": " + e.getCause(), e);
    }
  }

  /// One thread's allocations, frees, held blocks and leases; gives everything back in the end.
  private final class Worker implements Callable<Integer> {
    private final int id;
    private final Random random;
    private final List<Allocation> live = new ArrayList<>();
    private int granted;

    Worker(int id, long seed) {
      this.id = id;
      this.random = new Random(seed);
    }

    @Override
    public Integer call() {
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      while (!live.isEmpty()) {
        giveBackOne();
      }
      return granted;
    }

    private void step() {
      switch (random.nextInt(6)) {
        case 0 -> keep(pool.allocate(1 + random.nextInt(8000), "worker " + id));
        case 1 -> keep(held.acquire("tag " + random.nextInt(3), 1 + random.nextInt(8000)));
        case 2 -> leaseAndGiveBack();
        case 3 -> look();
        default -> giveBackOne();
      }
    }

    private void keep(AllocationResult result) {
      if (result instanceof Allocation allocation) {
        mark(allocation, 0, id);
        live.add(allocation);
        granted++;
      }
    }

    private void mark(Allocation allocation, int from, int to) {
      int first = (int) (allocation.offset() / 256);
      for (int unit = first; unit < first + allocation.size() / 256; unit++) {
        if (!ownerOfUnit.compareAndSet(unit, from, to)) {
          throw new AssertionError(
              allocation + " of " + id + " shares unit " + unit + " with " + ownerOfUnit.get(unit));
        }
      }
    }

    private void leaseAndGiveBack() {
      List<Allocation> leased = new ArrayList<>();
      try (Lease lease = pool.lease("worker " + id)) {
        for (int part = 0; part < 3; part++) {
          if (lease.allocateOptional(1 + random.nextInt(20_000), "part") instanceof Allocation a) {
            mark(a, 0, id);
            leased.add(a);
          }
        }
        if (random.nextBoolean()) {
          live.addAll(lease.commit().allocations());
        } else {
          leased.forEach(a -> mark(a, id, 0));
        }
      }
    }

    private void look() {
      PoolStatistics now = pool.statistics();
      long sum = now.usedBytes() + now.heldBytes() + now.freeBytes();
      if (sum != now.capacityBytes()) {
        throw new AssertionError("torn figures: " + now);
      }
    }

    private void giveBackOne() {
      if (live.isEmpty()) {
        return;
      }
      Allocation gone = live.remove(random.nextInt(live.size()));
      mark(gone, id, 0);
      if (random.nextBoolean()) {
        gone.close();
      } else {
        held.release(gone);
      }
    }
  }
}
