package io.miniinference.runtime.compile;

import io.miniinference.ir.Graph;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.plan.planner.MemoryPlan;

/// Looks at what each stage makes while a model is compiled.
public interface StageObserver {
  StageObserver NONE = new StageObserver() {};

  /// Core IR after the import or a pass.
  ///
  /// @param stage the pass's name
  default void graph(String stage, Graph graph) {}

  /// Steps over arrays, before they are planned.
  default void lowered(LoweredProgram program) {}

  /// The steps over the arrays that a plan gives them.
  default void planned(MemoryPlan plan, LoweredProgram program) {}
}
