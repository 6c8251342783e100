package io.miniinference.plan;

import java.util.Arrays;

/// Byte offsets of all planned blocks in the arena of one request of a given batch size. Any
/// smaller batch runs in the same offsets, since no block grows when the batch shrinks.
///
/// ```
/// 0                          plannedBytes   failureOffsetBytes         arenaBytes
/// | blocks and small-value slab            | failure slots             |
/// ```
public final class Placement {
  /// Every block of [#SMALL_BYTES] and more, the slab and the failure slots start at a multiple of
  /// this.
  public static final long ALIGNMENT_BYTES = 256;

  /// Blocks below this many bytes share one slab.
  public static final long SMALL_BYTES = 256;

  /// Alignment inside the slab: one vector of sixteen floats.
  public static final long SMALL_ALIGNMENT_BYTES = 64;

  private final long batch;
  private final long[] offsets;
  private final long plannedBytes;
  private final long boundBytes;
  private final long failureBytes;

  Placement(long batch, long[] offsets, long plannedBytes, long boundBytes, long failureBytes) {
    this.batch = batch;
    this.offsets = offsets;
    this.plannedBytes = plannedBytes;
    this.boundBytes = boundBytes;
    this.failureBytes = failureBytes;
  }

  /// The largest batch that runs here.
  public long batch() {
    return batch;
  }

  /// Where the block starts.
  ///
  /// @throws IllegalArgumentException if the block is not of the arena, or no step touches it
  public long offsetBytes(Block block) {
    long offset = offsets[block.id()];
    if (offset < 0) {
      throw new IllegalArgumentException(
          "block '%s' (%s) has no place in the arena".formatted(block.name(), block.space()));
    }
    return offset;
  }

  public boolean isPlaced(Block block) {
    return offsets[block.id()] >= 0;
  }

  /// Bytes of inputs, outputs, all between and scratch.
  public long plannedBytes() {
    return plannedBytes;
  }

  /// Most bytes live at once of the blocks that were placed, each rounded up as it is placed.
  public long placementBoundBytes() {
    return boundBytes;
  }

  /// Where the failure slots start.
  public long failureOffsetBytes() {
    return plannedBytes;
  }

  /// Bytes of the failure slots, rounded up to [#ALIGNMENT_BYTES].
  public long failureBytes() {
    return failureBytes;
  }

  /// All bytes of the arena, failure slots included.
  public long arenaBytes() {
    return Math.addExact(plannedBytes, failureBytes);
  }

  /* The same offsets for a smaller batch. */
  Placement forBatch(long smaller, long slotBytes, long bound) {
    return new Placement(smaller, offsets, plannedBytes, bound, slotBytes);
  }

  /* A placement that differs in one offset; for tests that break plans. */
  Placement withOffset(Block block, long offsetBytes) {
    long[] changed = Arrays.copyOf(offsets, offsets.length);
    changed[block.id()] = offsetBytes;
    return new Placement(batch, changed, plannedBytes, boundBytes, failureBytes);
  }
}
