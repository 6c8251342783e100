package io.miniinference.lower;

import io.miniinference.plan.Block;
import io.miniinference.plan.planner.Placement;

/// Rows of a batch that go through a whole program together, in an arena of their own
/// ([io.miniinference.plan.planner.RowArena]).
///
/// @param placement the plan of so many rows
/// @param slotBytes failure slots ahead of it
/// @param operations of one row
public record RowPiece(Placement placement, long slotBytes, long operations) {
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

  /// Where a block is in a lane.
  public long offsetBytes(Block block) {
    return slotBytes + placement.offsetBytes(block);
  }

  /// Rows that are worth a lane.
  public int rowsPerLane() {
    return Math.toIntExact(
        Math.clamp(LANE_OPERATIONS / Math.max(1, operations), rows(), Integer.MAX_VALUE));
  }

  /// The smallest batch that is better taken row by row than step by step: all workers have rows
  /// then, or there is too little work for more than one.
  public long fromRows(int workers) {
    return operations <= FEW_OPERATIONS ? 1 : Math.multiplyExact(2L * workers, rows());
  }
}
