package io.miniinference.runtime.compile;

import io.miniinference.cost.StepCost;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailureSlot;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.RowPiece;
import io.miniinference.plan.packing.Alignment;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.planner.RowArena;
import java.util.Optional;

/// Whether the rows of a batch go through a program a few at a time, and how many: as many as have
/// about as many bytes as the weights, which each piece reads, and no more than a core's cache
/// holds.
final class RowChoice {
  /// Half of the second-level cache of the smaller cores in use: the other half is for weights.
  private static final long CACHE_BYTES = 512 << 10;

  /// Products take rows in eights.
  private static final long MOST_ROWS = 8;

  /// Operations that a byte of weights must be good for, since each piece reads all of them.
  private static final long OPERATIONS_PER_BYTE = 3;

  private final LoweredProgram program;
  private final MemoryPlan plan;
  private final Affine slots;

  private RowChoice(LoweredProgram program, MemoryPlan plan) {
    this.program = program;
    this.plan = plan;
    slots = program.failurePoints().isEmpty() ? Affine.ZERO : FailureSlot.bytes();
  }

  /// The piece in which a batch is taken; empty if steps are to take it whole.
  ///
  /// @param weights of the program
  static Optional<RowPiece> of(LoweredProgram program, MemoryPlan plan, WeightSet weights) {
    return program.isApart()
        ? new RowChoice(program, plan).piece(weights.bytes())
        : Optional.empty();
  }

  private Optional<RowPiece> piece(long weightBytes) {
    long operations =
        StepCost.of(program, 1).stream().mapToLong(step -> step.work().operations()).sum();
    long fewest = Math.multiplyExact(weightBytes, OPERATIONS_PER_BYTE);
    return plan.placements().stream()
        .filter(placement -> placement.batch() <= MOST_ROWS && bytes(placement) <= CACHE_BYTES)
        .filter(placement -> placement.batch() == 1 || bytes(placement) <= weightBytes)
        .reduce((_, larger) -> larger)
        .filter(placement -> isOnePiece() || operations * placement.batch() >= fewest)
        .map(placement -> new RowPiece(placement, slotBytes(placement), operations));
  }

  private boolean isOnePiece() {
    return plan.placements().getLast().batch() <= 1;
  }

  private long slotBytes(Placement placement) {
    return Alignment.up(slots.at(placement.batch()), Placement.ALIGNMENT_BYTES);
  }

  private long bytes(Placement placement) {
    return RowArena.laneBytes(placement, slotBytes(placement));
  }
}
