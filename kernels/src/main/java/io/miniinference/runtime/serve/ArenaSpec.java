package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.lower.FailureSlot;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Network;
import io.miniinference.lower.RowLaunch;
import io.miniinference.lower.SharedLaunch;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.planner.RowArena;
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
/// planned values ([io.miniinference.plan.planner.RowArena]). Where one kernel computes all steps,
/// there is a table for each bucket, and one for batches that go row by row ([Network#table]), and
/// the counters of the launch whose steps the workers share ([SharedLaunch]). Where batches go in
/// micro-batches, inputs and outputs and the plan of one micro-batch lie there, and there is a
/// table for each of them. Where a GPU takes batches in parts, there are only the lanes of these
/// ([PartSpec]). Rows that only a cache of several cores holds go either way ([Instance]).
///
/// @param numbers entries of bindings behind those of the program (`Generated#numbers`)
/// @param network the kernel that computes all steps, if it is one
/// @param workers that share a launch; 0 on a device that takes all batches step by step
/// @param microBatch the plan of the rows that go through all steps before the next ones do; empty
///   where each step takes all rows
/// @param part in which batches go on a GPU; empty where each step takes all rows
public record ArenaSpec(
    LoweredProgram program,
    MemoryPlan plan,
    long[] weightOffsets,
    List<Long> numbers,
    Optional<Network> network,
    int workers,
    Optional<Placement> microBatch,
    Optional<PartChoice.Choice> part) {
  private static final long ALIGNMENT = 256;

  /// With weights elsewhere.
  public ArenaSpec withWeights(long[] offsets) {
    return new ArenaSpec(program, plan, offsets, numbers, network, workers, microBatch, part);
  }

  private Optional<RowLaunch> rows() {
    return network
        .flatMap(Network::rows)
        .filter(it -> workers > 0 && it.piece().fitsCaches(workers));
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
    return rows().map(launch -> launch.piece().fromRows(workers)).orElse(Long.MAX_VALUE);
  }

  /// What takes batches of up to `maxBatch` row by row; empty if all of them go step by step.
  public Optional<RowSpec> rowsUpTo(long maxBatch) {
    return rows()
        .filter(_ -> fromRows() <= maxBatch)
        .map(launch -> RowSpec.of(this, launch, maxBatch));
  }

  /// How batches larger than a micro-batch go in an arena for batches up to `maxBatch`, where they
  /// do not go row by row; empty if none goes so.
  public Optional<MicroBatchSpec> microBatchesUpTo(long maxBatch) {
    return microBatch(maxBatch).map(it -> MicroBatchSpec.of(this, it, maxBatch));
  }

  /// How batches larger than a part go in an arena for batches up to `maxBatch`; empty if none goes
  /// so.
  public Optional<PartSpec> partsUpTo(long maxBatch) {
    return lanes(maxBatch).map(it -> PartSpec.of(this, it));
  }

  /* As many lanes as need no more memory than the batch would as a whole. */
  private Optional<RowArena> lanes(long maxBatch) {
    long planned = Math.min(maxBatch, plan.placements().getLast().batch());
    return part.filter(it -> it.piece().batch() < planned)
        .flatMap(it -> {
          long whole = plan.placement(planned).plannedBytes();
          long fitting = whole / Math.max(1, RowArena.laneBytes(it.piece(), 0));
          long lanes = Math.min(fitting, Math.ceilDiv(maxBatch, it.piece().batch()));
          return lanes >= Math.min(2, it.lanes())
              ? Optional.of(
                  RowArena.ofLanes(it.piece(), maxBatch, (int) Math.min(lanes, it.lanes())))
              : Optional.empty();
        });
  }

  /* Inputs, outputs and what is between lie apart then, which must not need more. */
  private Optional<Placement> microBatch(long maxBatch) {
    long planned = Math.min(maxBatch, plan.placements().getLast().batch());
    return microBatch.filter(it -> it.batch() < planned).filter(it -> needsNoMore(it, planned));
  }

  private boolean needsNoMore(Placement part, long batch) {
    long whole = plan.placement(batch).plannedBytes();
    return MicroBatchSpec.arena(this, part, batch).sizeBytes() <= whole;
  }

  /* The largest batch of an arena that goes step by step; one row may always, to be timed. */
  private long steps(long maxBatch) {
    long most =
        microBatch(maxBatch)
            .or(() -> lanes(maxBatch).map(RowArena::piece))
            .map(Placement::batch)
            .orElse(fromRows() - 1);
    return Math.clamp(most, 1, maxBatch);
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
    long byRows = rowsUpTo(maxBatch).map(it -> it.arena().sizeBytes()).orElse(0L);
    long byParts = microBatchesUpTo(maxBatch).map(it -> it.arena().sizeBytes()).orElse(0L);
    long byLanes = lanes(maxBatch).map(RowArena::sizeBytes).orElse(0L);
    long planned = Math.max(Math.max(byRows, byParts), byLanes);
    for (Placement placement : placements(maxBatch)) {
      planned = Math.max(planned, placement.plannedBytes());
    }
    return headBytes(maxBatch) + aligned(planned);
  }

  /// Bytes ahead of the planned values.
  long headBytes(long maxBatch) {
    return tableOffset(maxBatch, tables(maxBatch));
  }

  /// Where in an arena a table is, counted from 0: those of the buckets, that of batches that go
  /// row by row, those of micro-batches.
  private long tableOffset(long maxBatch, int table) {
    long bytes = network.map(it -> it.table().bytes()).orElse(0L);
    return counterOffset(maxBatch) + aligned(counterBytes()) + table * aligned(bytes);
  }

  /// Where the table of batches that go row by row is in an arena for batches up to `maxBatch`.
  long rowsTableOffset(long maxBatch) {
    return tableOffset(maxBatch, rowsTable(maxBatch));
  }

  private int rowsTable(long maxBatch) {
    return placements(maxBatch).size();
  }

  private int tables(long maxBatch) {
    return network.isPresent() ? firstMicroBatch(maxBatch) + microBatches(maxBatch) : 0;
  }

  /// The number of the first micro-batch's table.
  int firstMicroBatch(long maxBatch) {
    return rowsTable(maxBatch) + 1;
  }

  private int microBatches(long maxBatch) {
    return microBatch(maxBatch)
        .map(it -> Math.toIntExact(Math.ceilDiv(maxBatch, it.batch())))
        .orElse(0);
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
      placeNetwork(arena, maxBatch, buckets.size(), offsets);
      long values = arena + headBytes(maxBatch);
      buckets.add(new Bucket(placement.batch(), binding(placement, arena, values, offsets)));
    }
    return buckets;
  }

  /// Where the kernel of all steps finds a table, and the counters, in an arena for batches up to
  /// `maxBatch`.
  void placeNetwork(long arena, long maxBatch, int table, long[] offsets) {
    network.ifPresent(it -> offsets[it.table().place()] = arena + tableOffset(maxBatch, table));
    shared()
        .ifPresent(it -> {
          offsets[it.counters()] = arena + counterOffset(maxBatch);
          offsets[it.workers()] = workers;
        });
  }

  private Binding binding(Placement placement, long arena, long values, long[] offsets) {
    placeBlocks(placement, values, offsets);
    return new Binding(offsets, inputs(offsets), withSlots(outputs(offsets), arena));
  }

  /// Where a plan has the inputs.
  List<Binding.Region> inputs(long[] offsets) {
    return regions(program.inputs(), offsets);
  }

  /// Where a plan has the outputs.
  List<Binding.Region> outputs(long[] offsets) {
    return regions(program.outputs(), offsets);
  }

  /// What a request reads: outputs, and the failure slots of an arena if anything can fail.
  List<Binding.Region> withSlots(List<Binding.Region> outputs, long arena) {
    List<Binding.Region> all = new ArrayList<>(outputs);
    if (canFail()) {
      all.add(new Binding.Region(arena, FailureSlot.bytes()));
    }
    return all;
  }

  /// Blocks where a plan has them, from `values` on.
  void placeBlocks(Placement placement, long values, long[] offsets) {
    for (Block block : program.plan().blocks()) {
      if (block.isPlanned() && placement.isPlaced(block)) {
        offsets[block.id()] = values + placement.offsetBytes(block);
      }
    }
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

  /// The same for rows from `first` on, which count from there in the failure slots, too: slot 0 is
  /// that of the row ahead.
  long[] offsetsFrom(long first, long arena) {
    long[] offsets = offsets(arena, 0);
    offsets[program.failureSlotsId()] = arena + first * FailureSlot.BYTES;
    return offsets;
  }

  private static List<Binding.Region> regions(List<Array> arrays, long[] offsets) {
    List<Binding.Region> regions = new ArrayList<>();
    for (Array array : arrays) {
      long first = array.offsetBytes().asConstant();
      regions.add(new Binding.Region(offsets[array.block().id()] + first, RowArena.bytes(array)));
    }
    return regions;
  }

  /// The binding for batches up to `batch`.
  public record Bucket(long batch, Binding binding) {}
}
