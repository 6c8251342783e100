package io.miniinference.plan.loops;

import io.miniinference.plan.Array;
import io.miniinference.plan.Step;
import io.miniinference.plan.coalesce.AliasState;
import io.miniinference.plan.coalesce.Moved;
import io.miniinference.plan.live.TimedStep;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What steps can still do with their arrays once blocks are addressed through pointers of a loop:
/// read or write them wherever they start, in the same order from there.
///
/// @param moved the arrays as merges and pointers move them
record Reachable(AliasState sharing, Moved moved) {

  /// Whether all steps at a block can do what they do, but for copies that are left out.
  boolean byStepsAt(int block, @Nullable TimedStep... copies) {
    Set<Step> leftOut = new HashSet<>();
    for (TimedStep copy : copies) {
      if (copy != null) {
        leftOut.add(copy.step());
      }
    }
    return sharing.steps(block).stream()
        .allMatch(step -> leftOut.contains(step) || isReachable(step));
  }

  /* A view, or a copy that is one now, stays with what it is a view of. */
  private boolean isReachable(Step step) {
    Optional<Step> there = moved.step(step);
    boolean isView = step.kind() == Step.Kind.VIEW || sharing.isElided(step);
    return there.isPresent()
        && (isView
            ? isTogether(there.get())
            : sharing.program().kernels().canRun(step, there.get()));
  }

  private static boolean isTogether(Step view) {
    Set<Integer> blocks = new HashSet<>();
    view.reads().stream()
        .filter(a -> a.block().isPlanned())
        .forEach(a -> blocks.add(a.block().id()));
    view.writes().forEach(a -> blocks.add(a.block().id()));
    return blocks.size() == 1 || view.reads().stream().noneMatch(a -> a.block().isMoving());
  }

  /// Whether what an iteration hands on can be copied to another place.
  boolean isCopied(TimedStep carry, Array to) {
    return moved
        .arrays(carry.step().reads())
        .map(reads -> carry.step().with(reads, List.of(to)))
        .filter(step -> sharing.program().kernels().canRun(carry.step(), step))
        .isPresent();
  }

  /// Whether an array lies as another does, from wherever it starts, and starts where vectors may.
  boolean isAlike(Array array, Array start) {
    return array.elementBytes() == start.elementBytes()
        && array.index().fromStart().equivalent(start.index().fromStart())
        && array.offsetBytes().isMultipleOf(sharing.program().kernels().vectorBytes());
  }
}
