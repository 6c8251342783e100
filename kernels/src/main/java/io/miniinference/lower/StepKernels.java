package io.miniinference.lower;

import io.miniinference.plan.Array;
import io.miniinference.plan.Kernels;
import io.miniinference.plan.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the kernels of a lowered program can do with arrays that the planner moved. A request's
/// inputs and outputs are moved as one piece each.
final class StepKernels implements Kernels {
  private final CodeGenerator generator;
  private final Map<Integer, LoweredStep> steps = new HashMap<>();

  StepKernels(CodeGenerator generator, List<LoweredStep> steps) {
    this.generator = generator;
    steps.forEach(step -> this.steps.put(step.number(), step));
  }

  @Override
  public boolean canRun(Step before, Step moved) {
    LoweredStep lowered = steps.get(before.number());
    if (lowered == null) {
      return true;
    }
    return generator.canWrite(lowered.over(moved));
  }

  @Override
  public boolean canTransfer(Array array) {
    return array.index().hasRowMajorStrides() && array.index().offset().isConstant();
  }
}
