package io.miniinference.lower;

import io.miniinference.ir.Node;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A step that a kernel computes.
///
/// @param number its step number in the plan, and in failure slots
/// @param node what to compute; a copy or conversion is an [io.miniinference.ir.Op.Elementwise] of
///   [io.miniinference.ir.Expr.Arg] 0
/// @param inputs where each input of the node lies (weights: in their weight block, packed as
///   chosen)
/// @param packed per input whether it is packed, so that its index function says nothing
/// @param strategy the code generator's note from [Choice#strategy]
/// @param scratch memory of the kernel's own, if it asked for some
/// @param failure what a failure of this step is called, if it can fail
/// @param guards conditions without which the kernel must do nothing
public record LoweredStep(
    int number,
    Node node,
    Step.Kind kind,
    List<Array> inputs,
    List<Boolean> packed,
    Array output,
    Object strategy,
    @Nullable Block scratch,
    @Nullable FailurePoint failure,
    List<Guard> guards) {
  public LoweredStep {
    guards = List.copyOf(guards);
    inputs = List.copyOf(inputs);
    packed = List.copyOf(packed);
  }

  /// The same computation over the arrays that a plan gives the step.
  ///
  /// @param before the step as it was planned; its reads are the inputs, then what only the planner
  ///   must know of
  /// @param planned the same with its arrays moved
  LoweredStep over(Step before, Step planned) {
    boolean writesThere = before.writes().getFirst().block().equals(output.block());
    return new LoweredStep(
        number,
        node,
        kind,
        planned.reads().subList(0, inputs.size()),
        packed,
        writesThere ? planned.writes().getFirst() : output,
        strategy,
        scratch,
        failure,
        guards);
  }

  LoweredStep with(List<Guard> otherGuards) {
    return new LoweredStep(
        number, node, kind, inputs, packed, output, strategy, scratch, failure, otherGuards);
  }

  /// A condition on a truth value of the device.
  ///
  /// @param condition one byte
  public record Guard(Array condition, boolean wanted) {}

  /// The step as one that cannot fail: its kernel looks at nothing before it uses it.
  LoweredStep withoutFailureCheck() {
    return new LoweredStep(
        number, node, kind, inputs, packed, output, strategy, scratch, null, guards);
  }
}
