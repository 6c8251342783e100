package io.miniinference.plan.planner;

import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Merge;
import io.miniinference.plan.Program;
import io.miniinference.plan.RefusedMerge;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.TimedStep;
import java.util.ArrayList;
import java.util.List;

/// Where every block of a program lies, for each batch bucket, and what was decided on the way.
///
/// @param source what was planned
/// @param program the same steps over the arrays that the plan gives them: what kernels are written
///   for, and what the offsets are for
/// @param lifetimes first and last uses of its blocks
/// @param merges arrays that are the same memory, at every batch size
/// @param refused merges that steps offer and that are not made, each with its reason
/// @param placements one per batch bucket, by batch
public record MemoryPlan(
    Program source,
    Program program,
    Lifetimes lifetimes,
    List<Merge> merges,
    List<RefusedMerge> refused,
    List<Placement> placements) {
  public MemoryPlan {
    merges = List.copyOf(merges);
    refused = List.copyOf(refused);
    placements = List.copyOf(placements);
  }

  MemoryPlan with(List<Placement> others) {
    return new MemoryPlan(source, program, lifetimes, merges, refused, others);
  }

  /// What moves with the iterations of loops, those of inner ones after those around them.
  public List<LoopBuffers> motions() {
    List<LoopBuffers> motions = new ArrayList<>();
    for (TimedStep timed : lifetimes.steps()) {
      timed.step().bodies().forEach(body -> motions.add(body.motion()));
    }
    return motions;
  }

  /// The placement that runs a batch of `n`: the smallest bucket that holds it.
  ///
  /// @throws IllegalArgumentException if `n` is larger than the largest bucket
  public Placement placement(long n) {
    for (Placement placement : placements) {
      if (n <= placement.batch()) {
        return placement;
      }
    }
    throw new IllegalArgumentException(
        "batch %d is above the largest of the plan for '%s', %d"
            .formatted(n, program.name(), placements.getLast().batch()));
  }

  /// Bytes that hold the arena of any batch up to the largest.
  public long arenaBytes() {
    return placements.stream().mapToLong(Placement::arenaBytes).max().orElse(0);
  }
}
