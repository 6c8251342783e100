package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailureSlot;
import io.miniinference.lower.Network;
import io.miniinference.lower.RowLaunch;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.planner.RowArena;
import io.miniinference.plan.planner.RowArena.Region;
import io.miniinference.plan.verify.RowArenaVerifier;
import java.util.ArrayList;
import java.util.List;

/// How batches go row by row in the arenas of a model for batches up to some size.
///
/// @param arena where lanes have their memory, from behind the failure slots on
/// @param table of the launch
/// @param from the smallest batch that does
public record RowSpec(
    ArenaSpec spec, RowLaunch rows, Network.Table table, RowArena arena, long from) {

  static RowSpec of(ArenaSpec spec, RowLaunch rows, long maxBatch) {
    long most = Math.ceilDiv(maxBatch, (long) rows.piece().rowsPerLane());
    int lanes = (int) Math.clamp(most, 1, spec.workers());
    Affine slots = spec.canFail() ? FailureSlot.bytes() : Affine.ZERO;
    RowArena arena =
        RowArena.of(spec.plan().program(), rows.piece().placement(), maxBatch, lanes, slots);
    RowArenaVerifier.verify(arena, spec.plan());
    Network.Table table = spec.network().orElseThrow().table();
    return new RowSpec(spec, rows, table, arena, spec.fromRows());
  }

  /// Lanes in which rows go side by side.
  public Lanes lanes() {
    return new Lanes(arena.lanes().size());
  }

  /// The one launch of a request.
  public Launch launch() {
    return rows.in(lanes().count());
  }

  /// What it works on in an arena that starts at `start`.
  public Binding binding(long start) {
    long values = values(start);
    long[] offsets = spec.offsets(start, 0);
    RowLaunch.Places places = rows.places();
    placeInLane(offsets);
    offsets[table.place()] = start + spec.rowsTableOffset(arena.rows());
    offsets[places.slots()] = start;
    offsets[places.ticket()] = ticket(start);
    offsets[places.lanes()] = values + arena.lanes().getFirst().offsetBytes();
    List<Binding.Region> inputs =
        staged(offsets, values, places.inputs(), arena.inputs(), spec.program().inputs());
    List<Binding.Region> outputs =
        staged(offsets, values, places.outputs(), arena.outputs(), spec.program().outputs());
    return new Binding(offsets, inputs, spec.withSlots(outputs, start));
  }

  /* What is planned, and failures until they are handed on, are in the arena of a lane. */
  private void placeInLane(long[] offsets) {
    for (Block block : spec.plan().program().blocks()) {
      if (block.isPlanned() && rows.piece().placement().isPlaced(block)) {
        offsets[block.id()] = RowLaunch.IN_LANE | rows.piece().offsetBytes(block);
      }
    }
    offsets[spec.program().failureSlotsId()] = RowLaunch.IN_LANE;
  }

  private long values(long start) {
    return start + spec.headBytes(arena.rows());
  }

  /// Where the counter of pieces is in an arena that starts at `start`.
  public long ticket(long start) {
    return values(start) + arena.ticket().offsetBytes();
  }

  private static List<Binding.Region> staged(
      long[] offsets,
      long values,
      List<Integer> entries,
      List<Region> regions,
      List<Array> arrays) {
    List<Binding.Region> staged = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      long at = values + regions.get(i).offsetBytes();
      offsets[entries.get(i)] = at;
      staged.add(new Binding.Region(at, RowArena.bytes(arrays.get(i))));
    }
    return staged;
  }
}
