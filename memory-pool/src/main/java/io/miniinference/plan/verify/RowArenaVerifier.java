package io.miniinference.plan.verify;

import io.miniinference.plan.Array;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.planner.RowArena;
import io.miniinference.plan.planner.RowArena.Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/// The proof that lanes which take pieces of a batch side by side write over nothing that is not
/// theirs: no two regions of the arena share a byte, each lane's holds the plan of a piece that the
/// [PlanVerifier] has replayed, and inputs and outputs are whole rows one after the other, so that
/// pieces have no byte in common.
public final class RowArenaVerifier {
  private final RowArena arena;
  private final MemoryPlan plan;

  private RowArenaVerifier(RowArena arena, MemoryPlan plan) {
    this.arena = arena;
    this.plan = plan;
  }

  /// @param plan verified
  /// @throws VerificationException if the arena is unsound
  public static void verify(RowArena arena, MemoryPlan plan) {
    RowArenaVerifier verifier = new RowArenaVerifier(arena, plan);
    verifier.checkPiece();
    verifier.checkApart();
    verifier.checkStaged("input", arena.inputs(), plan.program().body().parameters());
    verifier.checkStaged("output", arena.outputs(), plan.program().body().results());
  }

  /// As above, of rows that steps read and write where inputs and outputs are, with the plan of a
  /// piece for all between: what the plan has for an input or output is as large as its rows are.
  ///
  /// @throws VerificationException if the arena is unsound
  public static void verifyInPlace(RowArena arena, MemoryPlan plan) {
    verify(arena, plan);
    new RowArenaVerifier(arena, plan).checkBlocks();
  }

  /// As above, of lanes to which each piece's rows of the inputs come, and from which its rows of
  /// the outputs go ([RowArena#ofLanes]): inputs and outputs are whole rows, each in a block of its
  /// own.
  ///
  /// @throws VerificationException if the arena is unsound
  public static void verifyLanes(RowArena arena, MemoryPlan plan) {
    RowArenaVerifier verifier = new RowArenaVerifier(arena, plan);
    verifier.checkPiece();
    verifier.checkApart();
    verifier.checkRows("input", plan.program().body().parameters());
    verifier.checkRows("output", plan.program().body().results());
    verifier.checkBlocks();
  }

  private void checkPiece() {
    Placement piece = arena.piece();
    require(plan.placements().contains(piece), "a piece has a plan that was not verified");
    require(!arena.lanes().isEmpty(), "there is no lane");
    long needed = Math.addExact(arena.slotBytes(), piece.plannedBytes());
    for (Region lane : arena.lanes()) {
      require(
          lane.sizeBytes() >= needed,
          () -> "a lane has %d bytes, and its plan takes %d".formatted(lane.sizeBytes(), needed));
    }
  }

  private void checkApart() {
    List<Region> all = new ArrayList<>(arena.inputs());
    all.addAll(arena.outputs());
    all.add(arena.ticket());
    all.addAll(arena.lanes());
    all.sort(Comparator.comparingLong(Region::offsetBytes).thenComparingLong(Region::end));
    long end = 0;
    for (Region region : all) {
      long before = end;
      require(
          region.offsetBytes() >= before && region.sizeBytes() >= 0,
          () -> "%s begins before %d, where another one ends".formatted(region, before));
      require(
          region.offsetBytes() % Placement.ALIGNMENT_BYTES == 0,
          () -> "%s is not aligned to %d".formatted(region, Placement.ALIGNMENT_BYTES));
      end = region.end();
    }
    long last = end;
    require(last <= arena.sizeBytes(), () -> "regions end at %d, past the arena".formatted(last));
  }

  private void checkBlocks() {
    require(
        RowArena.canStandIn(plan.program()),
        "an input or output has not a block of its own that is as large as its rows");
  }

  private void checkRows(String what, List<Array> arrays) {
    for (Array array : arrays) {
      require(
          RowArena.bytes(array).constant() == 0 && RowArena.isMadeOfRows(array),
          () -> "%s '%s' is not made of rows".formatted(what, array.name()));
    }
  }

  private void checkStaged(String what, List<Region> regions, List<Array> arrays) {
    require(regions.size() == arrays.size(), "an " + what + " has no place");
    checkRows(what, arrays);
    for (int i = 0; i < arrays.size(); i++) {
      Array array = arrays.get(i);
      long given = regions.get(i).sizeBytes();
      long needed = RowArena.bytes(array).at(arena.rows());
      require(
          given >= needed,
          () ->
              "%s '%s' of %d rows takes %d bytes, and has %d"
                  .formatted(what, array.name(), arena.rows(), needed, given));
    }
  }

  private void require(boolean isTrue, String otherwise) {
    require(isTrue, () -> otherwise);
  }

  /* With a text that is made where it is needed. */
  private void require(boolean isTrue, Supplier<String> otherwise) {
    if (!isTrue) {
      throw new VerificationException(
          "row by row, '%s': %s".formatted(plan.program().name(), otherwise.get()));
    }
  }
}
