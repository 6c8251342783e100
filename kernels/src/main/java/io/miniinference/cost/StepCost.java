package io.miniinference.cost;

import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// A step with its algorithm and its work.
///
/// @param number of the step in the plan
/// @param name of its node
/// @param op ONNX operator
public record StepCost(int number, String name, String op, Algorithm algorithm, Work work) {

  /// Most operations of a step on a plain loop that are not worth a word.
  public static final long PLAIN_OPERATIONS = 1 << 20;

  /// The steps that launch kernels, in order, at batch size `n`.
  public static List<StepCost> of(LoweredProgram program, long n) {
    return program.steps().stream().map(step -> of(step, n)).toList();
  }

  private static StepCost of(LoweredStep step, long n) {
    return new StepCost(
        step.number(),
        step.node().name(),
        step.node().onnxOp(),
        step.strategy().algorithm(step),
        Work.of(step, n));
  }

  /// Whether it runs slowly for want of an algorithm: a plain loop over many operations.
  public boolean isFinding() {
    return algorithm.isPlain() && work.operations() > PLAIN_OPERATIONS;
  }
}
