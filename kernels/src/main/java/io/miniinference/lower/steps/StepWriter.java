package io.miniinference.lower.steps;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Target;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Step;
import io.miniinference.schedule.Schedule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes the steps of a graph, or of one body: each for the planner, who places what it reads and
/// writes, and those with kernels for the device and in the order in which they are launched.
final class StepWriter {
  private final Target<?> target;
  private final LoweringScope around;
  private final FailurePoints failurePoints;
  private final List<Step> planned = new ArrayList<>();
  private final List<Schedule> schedule = new ArrayList<>();

  StepWriter(Graph graph, Target<?> target, LoweringScope around) {
    this.target = target;
    this.around = around;
    failurePoints = new FailurePoints(graph, around.isTimed());
  }

  /// What is launched, as written so far.
  Schedule.Part part() {
    return new Schedule.Part(around.scope(), schedule);
  }

  /// The steps, as written so far.
  List<Step> planned() {
    return planned;
  }

  /// Makes `whole` the name of what its parts hold, the later over the earlier.
  void name(Node node, List<Array> parts, Array whole) {
    int number = around.steps().next();
    plan(number, node, Step.Kind.VIEW, parts, List.of(whole), List.of(), List.of());
  }

  /// A step that brings a value to where the graph puts it. With a constant, or with few elements
  /// over and over, an array is filled, not copied.
  void move(Value value, String name, String op, Array source, Array target) {
    boolean fills = Views.repeats(source) || !source.block().isPlanned();
    move(value, name, op, fills ? Step.Kind.COMPUTE : Step.Kind.COPY, source, target);
  }

  /// A step that copies a value for a node, as the graph asks for.
  void copy(Node node, Value value, Array source, Array target) {
    move(value, node.name(), node.onnxOp(), source, target);
  }

  /// A step that computes a node whose operands lie in `inputs`, all read at the index that is
  /// written, and whose result goes to `output`.
  void into(Node node, Step.Kind kind, List<Array> inputs, Array output) {
    List<Target.Operand> operands =
        inputs.stream().map(array -> new Target.Operand(array.index(), null)).toList();
    KernelChoice<?> choice = target.choose(node, operands, List.of());
    step(node, kind, Inputs.plain(inputs), List.of(output), choice);
  }

  /// A step that moves a value from one array to another.
  void move(Value value, String name, String op, Step.Kind kind, Array source, Array target) {
    Expr identity = new Expr.Arg(0);
    Node node =
        Node.of(
            name,
            op,
            new Op.Elementwise(identity, value.type()),
            List.of(value),
            new Value(target.name(), value.type()));
    into(node, kind, List.of(source), target);
  }

  /// What a step reads.
  ///
  /// @param packed per input of its node
  /// @param gathered the operand that the kernel gathers, if it does
  record Inputs(List<Array> arrays, List<Boolean> packed, LoweredStep.@Nullable Gathered gathered) {
    static Inputs plain(List<Array> arrays) {
      return new Inputs(arrays, arrays.stream().map(_ -> false).toList(), null);
    }

    /* Whose index may be bad, or who divides. */
    Node fallible(Node node) {
      return gathered == null ? node : gathered.node();
    }
  }

  /// A step with kernels.
  void step(Node node, Step.Kind kind, Inputs inputs, List<Array> outputs, KernelChoice<?> choice) {
    List<Block> scratch =
        choice.scratch().stream()
            .map(each -> around.blocks().scratch(name(node, each), each.bytes()))
            .toList();
    int number = around.steps().next();
    FailurePoint failure = failurePoints.of(number, inputs.fallible(node));
    around
        .steps()
        .launch(
            new LoweredStep(
                number,
                node,
                kind,
                inputs.arrays(),
                inputs.packed(),
                outputs,
                choice.strategy(),
                scratch,
                inputs.gathered(),
                failure,
                around.guards()));
    schedule.add(new Schedule.Run(number, failure != null && failure.timed()));
    List<Step.InPlace> inPlace = InPlacePairs.of(node, failure, inputs.arrays(), choice);
    plan(number, node, kind, inputs.arrays(), outputs, inPlace, scratch);
  }

  private String name(Node node, KernelChoice.Scratch scratch) {
    return around.prefix() + node.name() + " " + scratch.name();
  }

  private void plan(
      int number,
      Node node,
      Step.Kind kind,
      List<Array> reads,
      List<Array> writes,
      List<Step.InPlace> inPlace,
      List<Block> scratch) {
    planned.add(
        new Step(
            number,
            around.prefix() + node.name(),
            node.onnxOp(),
            kind,
            reads,
            writes,
            scratch,
            inPlace,
            List.of()));
  }

  /// Keeps a condition until all kernels that look at it have run.
  void keep(LoweredStep.Guard guard) {
    plan(
        new Step(
            around.steps().next(),
            around.prefix() + "condition",
            "If",
            Step.Kind.COMPUTE,
            List.of(guard.condition()),
            List.of(),
            List.of(),
            List.of(),
            List.of()));
  }

  /// Adds a step that launches nothing by itself: one with bodies, or one that only says what is
  /// read or written where.
  void plan(Step step) {
    planned.add(step);
  }

  /// Adds what a step with bodies launches.
  void schedule(Schedule what) {
    schedule.add(what);
  }
}
