package io.miniinference.runtime.serve;

import io.miniinference.plan.planner.RowArena;
import java.util.Locale;

/// What a plan says of a batch that goes row by row, or in micro-batches: it takes this arena, and
/// not the one that the certificate draws, in which each step takes all of its rows.
final class RowArenaText {
  private RowArenaText() {}

  /// A paragraph.
  static String text(RowArena arena) {
    return String.format(
        Locale.ROOT,
        """
        row by row: one launch takes %d rows through all steps, %d at a time in each of %d lanes
        arena            %,15d B   %,d B of inputs and outputs, and %,d B for each lane

        step by step it would be:

        """,
        arena.rows(),
        arena.piece().batch(),
        arena.lanes().size(),
        arena.sizeBytes(),
        arena.stagedBytes(),
        arena.lanes().getFirst().sizeBytes());
  }

  /// A paragraph on a batch of which all workers take a few rows through all steps before the next.
  static String microBatches(RowArena arena) {
    return String.format(
        Locale.ROOT,
        """
        micro-batches: %d rows go through all steps %d at a time, and all workers share each step
        arena            %,15d B   %,d B of inputs and outputs, and %,d B for a micro-batch

        with all rows in each step it would be:

        """,
        arena.rows(),
        arena.piece().batch(),
        arena.sizeBytes(),
        arena.stagedBytes(),
        arena.lanes().getFirst().sizeBytes());
  }

  /// A paragraph on a batch of which a GPU takes a few rows through all steps in each lane.
  static String parts(RowArena arena) {
    return String.format(
        Locale.ROOT,
        """
        in parts: %d rows go through all steps %d at a time in each of %d lanes, which overlap
        arena            %,15d B   %,d B for each lane, to which rows come and from which results go

        with all rows in each step it would be:

        """,
        arena.rows(),
        arena.piece().batch(),
        arena.lanes().size(),
        arena.sizeBytes(),
        arena.lanes().getFirst().sizeBytes());
  }

  /// An object, of one lane for micro-batches.
  static String json(RowArena arena, boolean isShared) {
    return String.format(
        Locale.ROOT,
        "{\"shared\":%b,\"arenaBytes\":%d,\"stagedBytes\":%d,\"lanes\":%d,\"laneBytes\":%d,\"pieceRows\":%d}",
        isShared,
        arena.sizeBytes(),
        arena.stagedBytes(),
        arena.lanes().size(),
        arena.lanes().getFirst().sizeBytes(),
        arena.piece().batch());
  }
}
