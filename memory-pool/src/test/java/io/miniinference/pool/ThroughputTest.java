package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// RFC 0002, kind 5: throughput. Time is printed; what is asserted is what decides it on any
/// machine: tree nodes visited and bytes allocated on the host per operation, against the number of
/// blocks.
class ThroughputTest {
  private static final int FEW = 1_000;
  private static final int MANY = 100_000;
  private static final int PAIRS = 20_000;
  private static final long SEED = 20_260_101;

  /// What one operation costs in a pool of so many blocks.
  private record Cost(int blocks, double meanVisits, long maxVisits, double bytes, double nanos) {
    @Override
    public String toString() {
      return String.format(
          "%,d blocks: %.1f node visits (at most %d), %.0f host bytes, %.0f ns per operation",
          blocks, meanVisits, maxVisits, bytes, nanos);
    }
  }

  @Test
  void costGrowsWithTheLogarithmOfTheBlocks() {
    measure(MANY);
    Cost few = measure(FEW);
    Cost many = measure(MANY);
    System.out.println("pool throughput, " + few);
    System.out.println("pool throughput, " + many);
    assertThat(few.maxVisits).isLessThanOrEqualTo(bound(FEW));
    assertThat(many.maxVisits).isLessThanOrEqualTo(bound(MANY));
    double doublings = Math.log((double) MANY / FEW) / Math.log(2);
    assertThat((many.meanVisits - few.meanVisits) / doublings)
        .as(
            "visits that each doubling of the blocks adds: one per descent, of which a pair has three")
        .isLessThan(2);
  }

  @Test
  void hostGarbageDoesNotGrowWithTheBlocks() {
    measure(FEW);
    measure(MANY);
    Cost few = measure(FEW);
    assertThat(measure(MANY).bytes).isLessThan(2 * few.bytes);
  }

  /// At most six walks of a tree (when both neighbours of a freed block are free, one leaves the
  /// order by address, and both leave that by size, which the merged block enters), each at most as
  /// long as the tree is high: 1.45 times the logarithm. To enter is a walk down and up again.
  private static long bound(int blocks) {
    return Math.round(6 * 1.45 * (Math.log(blocks + 2) / Math.log(2)));
  }

  /// Allocates a random size in a fragmented pool and frees it again, many times, so that the
  /// number of blocks stays; a few times it takes down a wall between two holes and builds another.
  private static Cost measure(int blocks) {
    Random random = new Random(SEED);
    MemoryPool pool = new MemoryPool(blocks * 4096L);
    List<Allocation> walls = fragment(pool, blocks, random);
    FreeList free = pool.core().tiling().free;
    Worst worst = new Worst(free);
    long visits = free.visits();
    long bytes = allocatedBytes();
    long nanos = System.nanoTime();
    for (int i = 0; i < PAIRS; i++) {
      boolean rebuild = i % (PAIRS / 20) == 0;
      Allocation taken = rebuild ? walls.remove(random.nextInt(walls.size())) : take(pool, random);
      worst.note();
      taken.close();
      worst.note();
      if (rebuild) {
        walls.add(take(pool, random));
        worst.note();
      }
    }
    double operations = 2.0 * PAIRS;
    double meanVisits = (free.visits() - visits) / operations;
    double meanBytes = (allocatedBytes() - bytes) / operations;
    double meanNanos = (System.nanoTime() - nanos) / operations;
    pool.validateIntegrity();
    int left = pool.memoryMap().blocks().size();
    return new Cost(left, meanVisits, worst.visits, meanBytes, meanNanos);
  }

  /// The most visits between two notes.
  private static final class Worst {
    private final FreeList free;
    private long before;
    private long visits;

    Worst(FreeList free) {
      this.free = free;
      this.before = free.visits();
    }

    void note() {
      visits = Math.max(visits, free.visits() - before);
      before = free.visits();
    }
  }

  private static Allocation take(MemoryPool pool, Random random) {
    return pool.allocate(1 + random.nextInt(4096)).orThrow();
  }

  /// Fills the pool with random sizes and frees every other block; the walls that are left.
  private static List<Allocation> fragment(MemoryPool pool, int blocks, Random random) {
    List<Allocation> walls = new ArrayList<>();
    List<Allocation> holes = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      (i % 2 == 0 ? holes : walls).add(take(pool, random));
    }
    holes.forEach(Allocation::close);
    return walls;
  }

  private static long allocatedBytes() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  @Test
  void heldBlocksAreLogarithmicToo() {
    long few = worstHeldVisits(FEW);
    long many = worstHeldVisits(MANY);
    System.out.printf("held blocks: at most %d visits at %,d, %d at %,d%n", few, FEW, many, MANY);
    assertThat(few).isLessThanOrEqualTo(bound(FEW));
    assertThat(many).isLessThanOrEqualTo(bound(MANY));
  }

  private static long worstHeldVisits(int blocks) {
    MemoryPool pool = new MemoryPool(blocks * 256L);
    HeldBlocks held = new HeldBlocks(pool, pool.capacity());
    List<Allocation> all = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      all.add(held.acquire("tag " + i % 100, 256).orThrow());
    }
    all.forEach(held::release);
    HeldList list = pool.core().held();
    long worst = 0;
    for (int i = 0; i < PAIRS; i++) {
      long before = list.visits();
      held.release(held.acquire("tag " + i % 100, 256).orThrow());
      worst = Math.max(worst, list.visits() - before);
    }
    return worst;
  }
}
