package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailureSlot;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Network;
import io.miniinference.lower.RowLaunch;
import io.miniinference.lower.SharedLaunch;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How the arenas of a model are laid out: failure slots at the start, where they stay whatever the
/// batch, then the planned values.
///
/// ```
/// | run's slot | row 0 | … | row max−1 | pad to 256 | counters | tables | planned values of the bucket |
/// ```
///
/// They must not move with the batch bucket: they are cleared only after a failure, so no value of
/// another bucket may ever be written over them.
///
/// Where batches go row by row, inputs, outputs and the arenas of lanes lie there in place of the
/// planned values ([RowArena]). Where one kernel computes all steps, there is a table for each
/// bucket, and one for batches that go row by row ([Network#table]), and the counters of the launch
/// whose steps the workers share ([SharedLaunch]).
///
/// @param numbers entries of bindings behind those of the program ([Generated#numbers])
/// @param network the kernel that computes all steps, if it is one
/// @param workers that share a launch; 0 on a device that takes all batches step by step
public record ArenaSpec(
    LoweredProgram program,
    MemoryPlan plan,
    long[] weightOffsets,
    List<Long> numbers,
    Optional<Network> network,
    int workers) {
  private static final long ALIGNMENT = 256;

  /// With weights elsewhere.
  public ArenaSpec withWeights(long[] offsets) {
    return new ArenaSpec(program, plan, offsets, numbers, network, workers);
  }

  private Optional<RowLaunch> rows() {
    return network.flatMap(Network::rows);
  }

  /// The launch whose steps the workers share; empty on a device that launches each by itself, and
  /// where all batches go row by row.
  public Optional<SharedLaunch> shared() {
    return network.flatMap(Network::shared).filter(_ -> workers > 0 && fromRows() > 1);
  }

  /// Where its counters are in an arena for batches up to `maxBatch`, behind the failure slots.
  public long counterOffset(long maxBatch) {
    return failureBytes(maxBatch);
  }

  /// Bytes of its counters.
  public long counterBytes() {
    return shared().map(it -> it.counterBytes(workers)).orElse(0L);
  }

  /// The smallest batch that goes row by row.
  long fromRows() {
    return rows()
        .filter(_ -> workers > 0)
        .map(launch -> launch.piece().fromRows(workers))
        .orElse(Long.MAX_VALUE);
  }

  /// What takes batches of up to `maxBatch` row by row; empty if all of them go step by step.
  public Optional<RowSpec> rowsUpTo(long maxBatch) {
    return rows()
        .filter(_ -> fromRows() <= maxBatch)
        .map(launch -> RowSpec.of(this, launch, maxBatch));
  }

  /* The largest batch of an arena that goes step by step; one row may always, to be timed. */
  private long steps(long maxBatch) {
    return Math.clamp(fromRows() - 1, 1, maxBatch);
  }

  boolean canFail() {
    return !program.failurePoints().isEmpty();
  }

  /// Bytes of the failure slots of an arena for batches up to `maxBatch`.
  public long failureBytes(long maxBatch) {
    long bytes = canFail() ? FailureSlot.bytes().at(maxBatch) : 0;
    return aligned(bytes);
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  /// Bytes of an arena for batches up to `maxBatch`: a prefix of the plan's buckets.
  public long bytes(long maxBatch) {
    long planned = rowsUpTo(maxBatch).map(spec -> spec.arena().sizeBytes()).orElse(0L);
    for (Placement placement : placements(maxBatch)) {
      planned = Math.max(planned, placement.plannedBytes());
    }
    return headBytes(maxBatch) + aligned(planned);
  }

  /// Bytes ahead of the planned values.
  long headBytes(long maxBatch) {
    return tableOffset(maxBatch, tables(maxBatch));
  }

  /// Where in an arena a table is, counted from 0; the last one is for batches that go row by row.
  long tableOffset(long maxBatch, int table) {
    long bytes = network.map(it -> it.table().bytes()).orElse(0L);
    return counterOffset(maxBatch) + aligned(counterBytes()) + table * aligned(bytes);
  }

  private int tables(long maxBatch) {
    return network.isPresent() ? placements(maxBatch).size() + 1 : 0;
  }

  /* The buckets that go step by step. */
  private List<Placement> placements(long maxBatch) {
    List<Placement> placements = new ArrayList<>();
    for (Placement placement : plan.placements()) {
      placements.add(placement);
      if (placement.batch() >= steps(maxBatch)) {
        break;
      }
    }
    return placements;
  }

  /// What commands work on in an arena that starts at `arena`, for each bucket up to `maxBatch`
  /// that goes step by step.
  public List<Bucket> buckets(long arena, long maxBatch, long weights) {
    List<Bucket> buckets = new ArrayList<>();
    for (Placement placement : placements(maxBatch)) {
      long[] offsets = offsets(arena, weights);
      long table = arena + tableOffset(maxBatch, buckets.size());
      network.ifPresent(it -> offsets[it.table().place()] = table);
      shared().ifPresent(it -> place(it, offsets, arena + counterOffset(maxBatch)));
      long values = arena + headBytes(maxBatch);
      buckets.add(new Bucket(placement.batch(), binding(placement, arena, values, offsets)));
    }
    return buckets;
  }

  private void place(SharedLaunch shared, long[] offsets, long counters) {
    offsets[shared.counters()] = counters;
    offsets[shared.workers()] = workers;
  }

  private Binding binding(Placement placement, long arena, long values, long[] offsets) {
    for (Block block : program.plan().blocks()) {
      if (block.isPlanned() && placement.isPlaced(block)) {
        offsets[block.id()] = values + placement.offsetBytes(block);
      }
    }
    List<Binding.Region> outputs = regions(program.outputs(), offsets);
    if (canFail()) {
      outputs.add(new Binding.Region(arena, FailureSlot.bytes()));
    }
    return new Binding(offsets, regions(program.inputs(), offsets), outputs);
  }

  /// What all bindings of an arena have in common: weights, failure slots and numbers.
  long[] offsets(long arena, long weights) {
    long[] offsets = new long[program.offsets() + numbers.size()];
    for (int i = 0; i < numbers.size(); i++) {
      offsets[program.offsets() + i] = numbers.get(i);
    }
    for (Block block : program.plan().blocks()) {
      if (!block.isPlanned()) {
        offsets[block.id()] = weights + weightOffsets[block.id()];
      }
    }
    offsets[program.failureSlotsId()] = arena;
    return offsets;
  }

  private static List<Binding.Region> regions(List<Array> arrays, long[] offsets) {
    List<Binding.Region> regions = new ArrayList<>();
    for (Array array : arrays) {
      long first = array.offsetBytes().asConstant();
      Affine bytes = array.index().elements().times(array.elementBytes());
      regions.add(new Binding.Region(offsets[array.block().id()] + first, bytes));
    }
    return regions;
  }

  /// The binding for batches up to `batch`.
  public record Bucket(long batch, Binding binding) {}
}
