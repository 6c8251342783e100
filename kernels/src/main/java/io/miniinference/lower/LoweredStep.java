package io.miniinference.lower;

import io.miniinference.ir.Node;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A step that one kernel computes, or several after each other.
///
/// @param number its step number in the plan, and in failure slots
/// @param node what to compute; a copy or conversion is an [io.miniinference.ir.Op.Elementwise] of
///   [io.miniinference.ir.Expr.Arg] 0
/// @param inputs where each input of the node lies (weights: in their weight block, packed as
///   chosen); in place of an operand that the kernel gathers for itself the data, and after all
///   others what else the Gather reads
/// @param packed per input whether it is packed, so that its index function says nothing
/// @param outputs where each output of the node goes
/// @param strategy what the target chose
/// @param scratch memory of the kernels' own, one block for each of [KernelChoice#scratch]
/// @param gathered the operand that is never an array, if there is one
/// @param failure what a failure of this step is called, if it can fail
/// @param guards conditions without which the kernel must do nothing
public record LoweredStep(
    int number,
    Node node,
    Step.Kind kind,
    List<Array> inputs,
    List<Boolean> packed,
    List<Array> outputs,
    Strategy strategy,
    List<Block> scratch,
    @Nullable Gathered gathered,
    @Nullable FailurePoint failure,
    List<Guard> guards) {
  public LoweredStep {
    guards = List.copyOf(guards);
    inputs = List.copyOf(inputs);
    packed = List.copyOf(packed);
    outputs = List.copyOf(outputs);
    scratch = List.copyOf(scratch);
  }

  /// Where the first output goes, the only one of most steps.
  public Array output() {
    return outputs.getFirst();
  }

  /// What the target chose, as its own kind of strategy.
  ///
  /// @throws ClassCastException if another target chose it
  public <S extends Strategy> S strategy(Class<S> kind) {
    return kind.cast(strategy);
  }

  /// The same computation over the arrays that a plan gives the step.
  ///
  /// @param planned the step as it was planned, with its arrays moved
  public LoweredStep over(Step planned) {
    return over(planned.reads(), planned.writes());
  }

  /// The same computation over other arrays.
  public LoweredStep over(List<Array> otherInputs, List<Array> otherOutputs) {
    return new LoweredStep(
        number,
        node,
        kind,
        otherInputs,
        packed,
        otherOutputs,
        strategy,
        scratch,
        gathered,
        failure,
        guards);
  }

  /// An operand that a kernel reads through indices, element by element, where a Gather before it
  /// would have written it down.
  ///
  /// @param operand its number among the inputs of the step's node
  /// @param node the Gather
  public record Gathered(int operand, Node node) {}

  /// The Gather of such an operand as a step, of which nothing is written: what it reads, and how
  /// it fails. It has the number of this step.
  ///
  /// @throws NullPointerException if no operand is gathered
  public LoweredStep gather() {
    Gathered there = Objects.requireNonNull(gathered, "a gathered operand");
    List<Array> read = new ArrayList<>(List.of(inputs.get(there.operand())));
    read.addAll(inputs.subList(node.inputs().size(), inputs.size()));
    List<Boolean> plain = read.stream().map(_ -> false).toList();
    return new LoweredStep(
        number, there.node(), kind, read, plain, outputs, strategy, scratch, null, failure, guards);
  }

  LoweredStep with(List<Guard> otherGuards) {
    return new LoweredStep(
        number,
        node,
        kind,
        inputs,
        packed,
        outputs,
        strategy,
        scratch,
        gathered,
        failure,
        otherGuards);
  }

  /// A condition on a truth value of the device.
  ///
  /// @param condition one byte
  public record Guard(Array condition, boolean wanted) {}

  /// The step as one that cannot fail: its kernel looks at nothing before it uses it.
  LoweredStep withoutFailureCheck() {
    return new LoweredStep(
        number, node, kind, inputs, packed, outputs, strategy, scratch, gathered, null, guards);
  }
}
