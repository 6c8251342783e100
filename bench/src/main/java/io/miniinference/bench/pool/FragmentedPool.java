package io.miniinference.bench.pool;

import module io.miniinference.kernels;

import java.util.SplittableRandom;

/// A pool that is half free and in pieces, as one that has been in use: as many holes as live
/// blocks, all 1/2 to 3/2 MiB large, and then all of its blocks were replaced a few times.
///
/// With 100,000 live blocks that makes 200 GiB. No memory stands behind them: a pool reckons with
/// offsets.
final class FragmentedPool {
  static final long MIB = 1 << 20;
  private static final String OWNER = "block";

  /// After so many replacements per block, a heap looks the same from then on.
  private static final int AGE = 5;

  private final MemoryPool pool;
  private final Allocation[] live;
  private final SplittableRandom random;

  /// @param blocks how many are live, 1 or more
  FragmentedPool(int blocks, long seed) {
    random = new SplittableRandom(seed);
    pool = new MemoryPool(2 * MIB * blocks);
    live = new Allocation[blocks];
    fill();
    for (long i = 0; i < (long) AGE * blocks; i++) {
      replaceAny();
    }
  }

  /// Fills the pool to the last byte with pairs of blocks of 2 MiB together, and frees one of each.
  private void fill() {
    Allocation[] holes = new Allocation[live.length];
    for (int i = 0; i < live.length; i++) {
      // The first hole takes a MiB, whatever the draw.
      long hole = i == 0 ? MIB : anySize(MIB / 2, MIB + MIB / 2);
      holes[i] = allocate(hole);
      live[i] = allocate(2 * MIB - hole);
    }
    for (Allocation hole : holes) {
      hole.close();
    }
  }

  private long anySize(long least, long below) {
    return random.nextLong(least, below) / MemoryPool.ALIGNMENT_BYTES * MemoryPool.ALIGNMENT_BYTES;
  }

  private Allocation allocate(long bytes) {
    return pool.allocate(bytes, OWNER).orThrow();
  }

  MemoryPool pool() {
    return pool;
  }

  /// Frees one of the live blocks, drawn at random, and allocates another one in its stead, of a
  /// random size from 7/8 to 1 MiB; the new block. It is never refused: less than half is in use.
  Allocation replaceAny() {
    int drawn = random.nextInt(live.length);
    live[drawn].close();
    live[drawn] = allocate(anySize(MIB / 8 * 7, MIB));
    return live[drawn];
  }
}
