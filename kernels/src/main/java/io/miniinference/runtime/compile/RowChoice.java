package io.miniinference.runtime.compile;

import io.miniinference.cost.Work;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailureSlot;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.RowPiece;
import io.miniinference.plan.packing.Alignment;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whether the rows of a batch go through a program a few at a time, and how many: as many as have
/// about as many bytes as the weights, which each piece reads (those of a recurrent layer in each
/// step), and no more than a core's cache holds, or one row that the cache of several cores holds.
/// Fewer rows, and none, are the next choices of an arena that has no room for those.
final class RowChoice {
  /// Products take rows in eights.
  private static final long MOST_ROWS = 8;

  /// Operations that a byte of weights must be good for, since each piece reads all of them.
  private static final long OPERATIONS_PER_BYTE = 3;

  /// The same where a core's cache holds no row, and weights come from further away, too.
  private static final long OPERATIONS_PER_BYTE_BEYOND_CORES = 24;

  private final LoweredProgram program;
  private final MemoryPlan plan;
  private final Affine slots;

  private RowChoice(LoweredProgram program, MemoryPlan plan) {
    this.program = program;
    this.plan = plan;
    slots = program.failurePoints().isEmpty() ? Affine.ZERO : FailureSlot.bytes();
  }

  /// The pieces in which a batch may be taken, empty for steps that take it whole; the best one
  /// first, then what may need less memory.
  ///
  /// @param weights of the program
  static List<Optional<RowPiece>> of(LoweredProgram program, MemoryPlan plan, WeightSet weights) {
    return program.isApart()
        ? new RowChoice(program, plan)
            .pieces(Math.max(0, weights.bytes() - unread(program)) + readAgain(program))
        : List.of(Optional.empty());
  }

  /* Bytes of weights for images of other sizes. */
  private static long unread(LoweredProgram program) {
    return program.steps().stream()
        .mapToLong(step -> step.strategy().unreadWeightBytes(step))
        .sum();
  }

  /* Bytes of weights that a piece reads once more: recurrent layers read theirs in each step. */
  private static long readAgain(LoweredProgram program) {
    return program.steps().stream()
        .map(LoweredStep::node)
        .filter(node -> node.op() instanceof Op.Recurrent)
        .mapToLong(RowChoice::readAgain)
        .sum();
  }

  private static long readAgain(Node layer) {
    TensorType weights = layer.inputs().get(Op.Recurrent.WEIGHTS).type();
    long bytes = weights.elements().asConstant() * weights.element().bytes();
    return (layer.inputs().getFirst().type().dim(0).typical() - 1) * bytes;
  }

  private List<Optional<RowPiece>> pieces(long weightBytes) {
    long operations = (long) Work.ofAll(program, 1);
    List<Optional<RowPiece>> pieces = new ArrayList<>();
    plan.placements().stream()
        .filter(placement -> placement.batch() <= MOST_ROWS)
        .map(placement -> new RowPiece(placement, slotBytes(placement), operations))
        .filter(piece -> isHeld(piece, weightBytes))
        .map(Optional::of)
        .forEach(pieces::addFirst);
    pieces.add(isWorthIt(pieces, weightBytes) ? pieces.size() : 0, Optional.empty());
    return pieces;
  }

  private boolean isHeld(RowPiece piece, long weightBytes) {
    return piece.rows() == 1
        ? piece.fitsCore() || !isOnePiece() && piece.fitsCaches(RowPiece.FEWEST_WORKERS)
        : piece.fitsCore() && piece.laneBytes() <= weightBytes;
  }

  private boolean isWorthIt(List<Optional<RowPiece>> pieces, long weightBytes) {
    return isOnePiece()
        || pieces.stream().flatMap(Optional::stream).anyMatch(it -> isWorthIt(it, weightBytes));
  }

  private static boolean isWorthIt(RowPiece piece, long weightBytes) {
    long perByte = piece.fitsCore() ? OPERATIONS_PER_BYTE : OPERATIONS_PER_BYTE_BEYOND_CORES;
    return piece.operations() * piece.rows() >= Math.multiplyExact(weightBytes, perByte);
  }

  private boolean isOnePiece() {
    return plan.placements().getLast().batch() <= 1;
  }

  private long slotBytes(Placement placement) {
    return Alignment.up(slots.at(placement.batch()), Placement.ALIGNMENT_BYTES);
  }
}
