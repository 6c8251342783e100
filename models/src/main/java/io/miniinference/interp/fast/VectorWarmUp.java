package io.miniinference.interp.fast;

import io.miniinference.interp.lanes.VectorFunctions;
import io.miniinference.interp.lanes.VectorLoops;
import io.miniinference.interp.lanes.VectorTile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Runs each form of [VectorTile] and [VectorLoops] until the JVM has compiled it, which shows in
/// its time beside the same product in plain Java.
final class VectorWarmUp {
  private static final int DEPTH = 16;
  private static final int ROWS = VectorTile.TALL;
  private static final int PITCH = VectorTile.LONG;
  /* Elements of which a function takes less time than the product with scalars. */
  private static final int FEW = 16;

  private static final int LONGEST_SECONDS = 60;
  private static final int TOGETHER = 16;

  /* Fast so often, one after the other. */
  private static final int FAST_ROUNDS = 8;

  private final float[] sums = new float[(VectorTile.TALL + 1) * PITCH];
  private final double[] line = new double[FEW];
  private final double[] eight = new double[8];
  private final int[] rowAt = new int[VectorTile.TALL];
  private final int[] leftAt = new int[DEPTH];
  private final long[] rightAt = new long[DEPTH];
  private final VectorTile[] tiles;
  private long plainNanos = Long.MAX_VALUE;

  VectorWarmUp() {
    for (int k = 0; k < DEPTH; k++) {
      leftAt[k] = k;
      rightAt[k] = 4L * k * PITCH;
    }
    Arrays.setAll(rowAt, r -> r);
    MemorySegment shared = memory(Arena.ofShared());
    MemorySegment collected = memory(Arena.ofAuto());
    // the pool, and a thread's own memory
    tiles = new VectorTile[] {tile(shared), tile(collected)};
  }

  private static MemorySegment memory(Arena arena) {
    return arena.allocate(4L * DEPTH * PITCH, 64);
  }

  private VectorTile tile(MemorySegment right) {
    return new VectorTile(sums, rowAt, leftAt, right, rightAt, DEPTH);
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
      most = Math.max(most, nanos(tile, ROWS, VectorTile.WIDE));
      most = Math.max(most, nanos(tile, ROWS, VectorTile.COLUMNS));
      most = Math.max(most, nanos(tile, ROWS / 2, VectorTile.COLUMNS));
      most = Math.max(most, nanos(tile, ROWS, VectorTile.LANES));
      most = Math.max(most, nanos(tile, ROWS / 2, VectorTile.LANES / 2));
    }
    most = Math.max(most, nanos(() -> VectorLoops.max(sums, sums, sums, 1, PITCH)));
    most = Math.max(most, nanos(() -> VectorLoops.add(sums, sums, sums, 1, PITCH)));
    most = Math.max(most, nanos(() -> VectorFunctions.exp(sums, sums, FEW)));
    most = Math.max(most, nanos(() -> VectorFunctions.erf(sums, sums, FEW)));
    most = Math.max(most, nanos(() -> VectorFunctions.expAbove(line, 0)));
    most = Math.max(most, nanos(() -> VectorFunctions.max(line, eight)));
    most = Math.max(most, nanos(() -> VectorFunctions.add(line, eight)));
    most = Math.max(most, nanos(() -> VectorFunctions.addSquares(line, 0, eight)));
    return most;
  }

  private long nanos(VectorTile tile, int rows, int columns) {
    long start = System.nanoTime();
    for (int i = 0; i < TOGETHER; i++) {
      tile.multiply(rows, 0, columns, false, sums, 0, PITCH);
    }
    return System.nanoTime() - start;
  }

  private static long nanos(Runnable loop) {
    long start = System.nanoTime();
    for (int i = 0; i < TOGETHER; i++) {
      loop.run();
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
