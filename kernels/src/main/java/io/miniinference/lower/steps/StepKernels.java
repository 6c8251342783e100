package io.miniinference.lower.steps;

import io.miniinference.ir.Op;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Target;
import io.miniinference.plan.Array;
import io.miniinference.plan.Condition;
import io.miniinference.plan.RefusedMerge;
import io.miniinference.plan.Step;
import io.miniinference.plan.TargetConstraints;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the kernels of a lowered program can do with arrays that the planner moved. A request's
/// inputs and outputs are moved as one piece each.
final class StepKernels implements TargetConstraints {
  private static final int INDICES = 1;
  private static final int UPDATES = 2;

  private final Target<?> target;
  private final List<Array> inputs;
  private final Map<Integer, LoweredStep> steps = new HashMap<>();

  StepKernels(Target<?> target, List<Array> inputs, List<LoweredStep> steps) {
    this.target = target;
    this.inputs = inputs;
    steps.forEach(step -> this.steps.put(step.number(), step));
  }

  @Override
  public int vectorBytes() {
    return target.vectorBytes();
  }

  @Override
  public boolean canRun(Step before, Step moved) {
    LoweredStep lowered = steps.get(before.number());
    if (lowered == null) {
      return true;
    }
    return target.canWrite(lowered.over(moved));
  }

  @Override
  public boolean canTransfer(Array array) {
    return array.index().hasRowMajorStrides() && array.index().offset().isConstant();
  }

  @Override
  public Optional<RefusedMerge> refused(Step step) {
    LoweredStep lowered = steps.get(step.number());
    boolean scatters =
        lowered != null
            && lowered.node().op() instanceof Op.Scatter
            && step.reads().get(UPDATES).block().isPlanned();
    return scatters ? Optional.of(scattered(step)) : Optional.empty();
  }

  /* Updates at places that the indices say: they come too late, or in another order than updates in
  one piece could, or the request brings the updates before anything else is there. */
  private RefusedMerge scattered(Step step) {
    Array updates = step.reads().get(UPDATES);
    Condition condition =
        step.reads().get(INDICES).block().isPlanned()
            ? Condition.SC5
            : inputs.contains(updates) ? Condition.SC2 : Condition.INDEX;
    return new RefusedMerge(step.number(), updates, step.writes().getFirst(), condition);
  }
}
