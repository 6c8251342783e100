package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.layout.Affine;
import io.miniinference.plan.Array;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.planner.RowArena;
import io.miniinference.plan.planner.RowArena.Region;
import io.miniinference.plan.verify.RowArenaVerifier;
import java.util.ArrayList;
import java.util.List;

/// How batches go in micro-batches through the arenas of a model for batches up to some size: a few
/// rows take all steps before the next ones begin. The first steps read the rows where the request
/// put them, and the last ones write to where the answer is read; all between is in memory for one
/// micro-batch.
///
/// @param arena where inputs, outputs and the plan of a micro-batch lie
/// @param head bytes ahead of it
/// @param firstTable the number of the first micro-batch's table
public record MicroBatchSpec(ArenaSpec spec, RowArena arena, long head, int firstTable) {

  static MicroBatchSpec of(ArenaSpec spec, Placement plan, long maxBatch) {
    RowArena arena = arena(spec, plan, maxBatch);
    RowArenaVerifier.verifyInPlace(arena, spec.plan());
    return new MicroBatchSpec(
        spec, arena, spec.headBytes(maxBatch), spec.firstMicroBatch(maxBatch));
  }

  static RowArena arena(ArenaSpec spec, Placement plan, long maxBatch) {
    return RowArena.of(spec.plan().program(), plan, maxBatch, 1, Affine.ZERO);
  }

  /// Most rows of a micro-batch.
  public int rows() {
    return Math.toIntExact(arena.piece().batch());
  }

  /// What the host fills and reads for a whole batch in an arena that starts at `start`; nothing is
  /// launched on it.
  public Binding batch(long start) {
    List<Binding.Region> inputs = regions(start, arena.inputs(), spec.program().inputs());
    List<Binding.Region> outputs = regions(start, arena.outputs(), spec.program().outputs());
    return new Binding(spec.offsets(start, 0), inputs, spec.withSlots(outputs, start));
  }

  /// What the micro-batches of the largest batch work on, in their order.
  public List<Binding> microBatches(long start) {
    List<Binding> all = new ArrayList<>();
    for (long first = 0; first < arena.rows(); first += rows()) {
      all.add(microBatch(start, first));
    }
    return all;
  }

  private Binding microBatch(long start, long first) {
    long[] offsets = spec.offsetsFrom(first, start);
    long lane = values(start) + arena.lanes().getFirst().offsetBytes();
    spec.placeBlocks(arena.piece(), lane, offsets);
    standIn(start, first, arena.inputs(), spec.program().inputs(), offsets);
    standIn(start, first, arena.outputs(), spec.program().outputs(), offsets);
    int table = firstTable + Math.toIntExact(first / rows());
    spec.placeNetwork(start, arena.rows(), table, offsets);
    return new Binding(offsets, List.of(), List.of());
  }

  /* Rows of the batch stand in for what the plan of a micro-batch has for them. */
  private void standIn(
      long start, long first, List<Region> regions, List<Array> arrays, long[] offsets) {
    for (int i = 0; i < arrays.size(); i++) {
      Array array = arrays.get(i);
      long rows = first * RowArena.bytes(array).perBatch();
      offsets[array.block().id()] = values(start) + regions.get(i).offsetBytes() + rows;
    }
  }

  private List<Binding.Region> regions(long start, List<Region> regions, List<Array> arrays) {
    List<Binding.Region> all = new ArrayList<>();
    for (int i = 0; i < arrays.size(); i++) {
      long at = values(start) + regions.get(i).offsetBytes();
      all.add(new Binding.Region(at, RowArena.bytes(arrays.get(i))));
    }
    return all;
  }

  private long values(long start) {
    return start + head;
  }
}
