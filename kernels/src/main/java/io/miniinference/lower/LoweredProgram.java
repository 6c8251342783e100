package io.miniinference.lower;

import io.miniinference.ir.Graph;
import io.miniinference.plan.Array;
import io.miniinference.plan.Program;
import java.util.List;

/// A model as steps over arrays: what is planned and what kernels are written for.
///
/// @param steps the steps that launch, in order
/// @param plan the same steps, and the views between them, as the planner sees them
/// @param inputs where each input of the graph is put
/// @param outputs where each output is found, dense and row-major
/// @param weights all constants that kernels read
public record LoweredProgram(
    Graph graph,
    List<LoweredStep> steps,
    Program plan,
    List<Array> inputs,
    List<Array> outputs,
    List<Weight> weights) {
  public LoweredProgram {
    steps = List.copyOf(steps);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    weights = List.copyOf(weights);
  }

  /// The entry of [io.miniinference.device.Binding#offsets] that holds the offset of the failure
  /// slots: one past the last block id.
  public int failureSlotsId() {
    return plan.blocks().size();
  }

  /// The steps that can fail.
  public List<FailurePoint> failurePoints() {
    return steps.stream().map(LoweredStep::failure).filter(f -> f != null).toList();
  }
}
