package io.miniinference.codegen.gpu.whole;

import io.miniinference.codegen.KernelText;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Block;
import io.miniinference.plan.planner.Placement;
import java.util.List;

/// A step of a whole network, or two that are computed together, as a work-group computes it for
/// its rows.
interface Stage {
  /// Work items of a work-group.
  int ITEMS = 256;

  /// The step, with its operands and its result where they lie in local memory.
  LoweredStep step();

  /// What it computes, for readers.
  default String title() {
    return step().node().onnxOp();
  }

  /// Statements that compute it. Variable `t` is the number of the work item, `n` how many rows
  /// there are.
  ///
  /// @param text takes the statements
  /// @param memory what is in local memory, which begins at `lane`
  void write(KernelText text, Placement memory);

  /// Memory of the stage's own.
  default List<Block> scratch() {
    return List.of();
  }
}
