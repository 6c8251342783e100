package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailureSlot;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Placement;
import java.util.ArrayList;
import java.util.List;

/// How the arenas of a model are laid out: failure slots at the start, where they stay whatever the
/// batch, then the planned values.
///
/// ```
/// | run's slot | row 0 | … | row max−1 | pad to 256 | planned values of the bucket |
/// ```
///
/// They must not move with the batch bucket: they are cleared only after a failure, so no value of
/// another bucket may ever be written over them.
///
/// @param numbers entries of bindings behind those of the program ([Generated#numbers])
public record ArenaSpec(
    LoweredProgram program, MemoryPlan plan, long[] weightOffsets, List<Long> numbers) {
  private static final long ALIGNMENT = 256;

  /// With weights elsewhere.
  public ArenaSpec withWeights(long[] offsets) {
    return new ArenaSpec(program, plan, offsets, numbers);
  }

  boolean canFail() {
    return !program.failurePoints().isEmpty();
  }

  /// Bytes of the failure slots of an arena for batches up to `maxBatch`.
  public long failureBytes(long maxBatch) {
    long bytes = canFail() ? FailureSlot.bytes().at(maxBatch) : 0;
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  /// Bytes of an arena for batches up to `maxBatch`: a prefix of the plan's buckets.
  long bytes(long maxBatch) {
    long planned = 0;
    for (Placement placement : plan.placements()) {
      planned = Math.max(planned, placement.plannedBytes());
      if (placement.batch() >= maxBatch) {
        break;
      }
    }
    return failureBytes(maxBatch) + Math.ceilDiv(planned, ALIGNMENT) * ALIGNMENT;
  }

  /// What commands work on in an arena that starts at `arena`, for each bucket up to `maxBatch`.
  public List<Bucket> buckets(long arena, long maxBatch, long weights) {
    List<Bucket> buckets = new ArrayList<>();
    for (Placement placement : plan.placements()) {
      buckets.add(new Bucket(placement.batch(), binding(placement, arena, maxBatch, weights)));
      if (placement.batch() >= maxBatch) {
        break;
      }
    }
    return buckets;
  }

  private Binding binding(Placement placement, long arena, long maxBatch, long weights) {
    long values = arena + failureBytes(maxBatch);
    List<Block> blocks = program.plan().blocks();
    long[] offsets = new long[program.offsets() + numbers.size()];
    for (int i = 0; i < numbers.size(); i++) {
      offsets[program.offsets() + i] = numbers.get(i);
    }
    for (Block block : blocks) {
      if (!block.isPlanned()) {
        offsets[block.id()] = weights + weightOffsets[block.id()];
      } else if (placement.isPlaced(block)) {
        offsets[block.id()] = values + placement.offsetBytes(block);
      }
    }
    offsets[program.failureSlotsId()] = arena;
    List<Binding.Region> outputs = regions(program.outputs(), offsets);
    if (canFail()) {
      outputs.add(new Binding.Region(arena, FailureSlot.bytes()));
    }
    return new Binding(offsets, regions(program.inputs(), offsets), outputs);
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
