package io.miniinference.interp.fast;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Runs each form of [VectorTile] until the JVM has compiled it, which shows in its time beside the
/// same product in plain Java.
final class VectorWarmUp {
  private static final int DEPTH = 16;
  private static final int ROWS = 4;
  private static final int PITCH = VectorTile.LONG;
  private static final int LONGEST_SECONDS = 60;
  private static final int TOGETHER = 16;

  /* Fast so often, one after the other. */
  private static final int FAST_ROUNDS = 8;

  private final float[] sums = new float[(ROWS + 1) * PITCH];
  private final long[] at = new long[DEPTH];
  private final VectorTile[] tiles;
  private long plainNanos = Long.MAX_VALUE;

  VectorWarmUp() {
    for (int k = 0; k < DEPTH; k++) {
      at[k] = 4L * k * PITCH;
    }
    MemorySegment shared = memory(Arena.ofShared());
    MemorySegment collected = memory(Arena.ofAuto());
    // the pool, and a thread's own memory
    tiles = new VectorTile[] {tile(shared, shared), tile(shared, collected)};
  }

  private static MemorySegment memory(Arena arena) {
    return arena.allocate(4L * DEPTH * PITCH, 64);
  }

  private VectorTile tile(MemorySegment left, MemorySegment right) {
    return new VectorTile(left, 4L * DEPTH, right, at, DEPTH);
  }

  /// @return whether the forms became faster than plain Java
  boolean run() {
    long end = System.nanoTime() + LONGEST_SECONDS * 1_000_000_000L;
    int fast = 0;
    while (fast < FAST_ROUNDS && System.nanoTime() < end) {
      plainNanos = Math.min(plainNanos, plainNanos());
      fast = vectorNanos() < plainNanos ? fast + 1 : 0;
    }
    return fast == FAST_ROUNDS;
  }

  /* The slowest form counts. */
  private long vectorNanos() {
    long most = 0;
    for (VectorTile tile : tiles) {
      most = Math.max(most, nanos(tile, 1, VectorTile.LONG));
      most = Math.max(most, nanos(tile, ROWS, 2 * VectorTile.COLUMNS));
      most = Math.max(most, nanos(tile, ROWS, VectorTile.COLUMNS));
      most = Math.max(most, nanos(tile, ROWS, VectorTile.LANES / 2));
    }
    return most;
  }

  private long nanos(VectorTile tile, int rows, int columns) {
    long start = System.nanoTime();
    for (int i = 0; i < TOGETHER; i++) {
      tile.multiply(0, rows, 0, columns, sums, PITCH);
    }
    return System.nanoTime() - start;
  }

  /* The product of one row with all columns, in scalars. */
  private long plainNanos() {
    MemorySegment memory = MemorySegment.ofArray(sums);
    long start = System.nanoTime();
    for (int i = 0; i < TOGETHER; i++) {
      for (int column = 0; column < PITCH; column++) {
        float sum = 0;
        for (int k = 0; k < DEPTH; k++) {
          sum = Math.fma(sums[k], memory.get(ValueLayout.JAVA_FLOAT, 4L * column), sum);
        }
        sums[column] = sum;
      }
    }
    return System.nanoTime() - start;
  }
}
