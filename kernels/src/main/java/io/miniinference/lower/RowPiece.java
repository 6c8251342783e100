package io.miniinference.lower;

import io.miniinference.plan.Block;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.planner.RowArena;

/// Rows of a batch that go through a whole program together, in an arena of their own
/// ([io.miniinference.plan.planner.RowArena]).
///
/// @param placement the plan of so many rows
/// @param slotBytes failure slots ahead of it
/// @param operations of one row
public record RowPiece(Placement placement, long slotBytes, long operations) {
  /// Half of the second-level cache of the smaller cores in use: the other half is for weights.
  private static final long CORE_CACHE_BYTES = 512 << 10;

  /// The cache that the cores of the smaller processors in use share.
  private static final long SHARED_CACHE_BYTES = 32 << 20;

  /// Fewest workers for which lanes of their own are worth it where no core's cache holds one: a
  /// single worker waits for nobody in a step, and lets others have their turns between rows.
  public static final int FEWEST_WORKERS = 2;

  /// Operations that are worth a lane of their own: about ten times what it costs to hand work to
  /// another core.
  private static final long LANE_OPERATIONS = 1_500_000;

  /// Operations of a request that one core does sooner in one launch than several in one for each
  /// step.
  private static final long FEW_OPERATIONS = 10_000_000;

  /// Most rows of a piece.
  public int rows() {
    return Math.toIntExact(placement.batch());
  }

  /// Bytes of the arena of a lane.
  public long laneBytes() {
    return RowArena.laneBytes(placement, slotBytes);
  }

  /// Whether a core's own cache holds a lane.
  public boolean fitsCore() {
    return laneBytes() <= CORE_CACHE_BYTES;
  }

  /// Whether lanes of so many workers fit the caches of their cores, or the one that these share.
  public boolean fitsCaches(int workers) {
    return fitsCore()
        || (workers >= FEWEST_WORKERS
            && Math.multiplyExact(laneBytes(), workers) <= SHARED_CACHE_BYTES);
  }

  /// Where a block is in a lane.
  public long offsetBytes(Block block) {
    return slotBytes + placement.offsetBytes(block);
  }

  /// Rows that are worth a lane: of large rows each is.
  public int rowsPerLane() {
    return fitsCore()
        ? Math.toIntExact(
            Math.clamp(LANE_OPERATIONS / Math.max(1, operations), rows(), Integer.MAX_VALUE))
        : rows();
  }

  /// The smallest batch that is better taken row by row than step by step: all workers have rows
  /// then, or there is too little work for more than one. Rows that no core's cache holds are worth
  /// several workers however little is computed of them, and more of them what their lanes take of
  /// the pool.
  public long fromRows(int workers) {
    if (fitsCore()) {
      return operations <= FEW_OPERATIONS ? 1 : Math.multiplyExact(2L * workers, rows());
    }
    return Math.multiplyExact(4L * workers, rows());
  }
}
