package io.miniinference.plan.planner;

import io.miniinference.plan.Block;
import io.miniinference.plan.packing.Rectangle;
import io.miniinference.plan.packing.SearchReport;
import java.util.Arrays;
import java.util.List;

/// Byte offsets of all planned blocks in the arena of one request of a given batch size. Any
/// smaller batch runs in the same offsets, since no block grows when the batch shrinks.
///
/// ```
/// | failure slots | blocks and small-value slab |
///                 0                             plannedBytes
/// ```
public final class Placement {
  /// Every block of [Block#SMALL_BYTES] and more, the slab and the failure slots start at a
  /// multiple of this.
  public static final long ALIGNMENT_BYTES = 256;

  /// Alignment inside the slab: one vector of sixteen floats.
  public static final long SMALL_ALIGNMENT_BYTES = 64;

  private final long batch;
  private final long[] offsets;
  private final Packed packed;
  private final long plannedBytes;
  private final long failureBytes;

  Placement(long batch, long[] offsets, Packed packed, long failureBytes) {
    this(batch, offsets, packed, packed.packing().peakBytes(), failureBytes);
  }

  private Placement(
      long batch, long[] offsets, Packed packed, long plannedBytes, long failureBytes) {
    this.batch = batch;
    this.offsets = offsets;
    this.packed = packed;
    this.plannedBytes = plannedBytes;
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
    return packed.packing().boundBytes();
  }

  /// What was packed: the bytes and the time of each block that was placed.
  public List<Rectangle> rectangles() {
    return packed.rectangles();
  }

  /// What the exact search did, if it was needed.
  public SearchReport search() {
    return packed.packing().search();
  }

  Packed packed() {
    return packed;
  }

  /// Bytes of the failure slots, rounded up to [#ALIGNMENT_BYTES].
  public long failureBytes() {
    return failureBytes;
  }

  /// All bytes of the arena, failure slots included.
  public long arenaBytes() {
    return Math.addExact(plannedBytes, failureBytes);
  }

  /* The same offsets for a smaller batch, whose own packing ended higher. */
  Placement forSmaller(Placement own) {
    return new Placement(own.batch, offsets, own.packed, plannedBytes, own.failureBytes);
  }

  /* A placement that differs in one offset; for tests that break plans. */
  Placement withOffset(Block block, long offsetBytes) {
    long[] changed = Arrays.copyOf(offsets, offsets.length);
    changed[block.id()] = offsetBytes;
    return new Placement(batch, changed, packed, plannedBytes, failureBytes);
  }
}
