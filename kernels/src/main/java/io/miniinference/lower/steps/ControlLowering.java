package io.miniinference.lower.steps;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.Step;
import io.miniinference.schedule.Decision;
import io.miniinference.schedule.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Lowers a node with bodies: each body to steps of its own, and copies that bring its results to
/// where those of the node lie. Where a result could be made there at once, the planner finds out.
///
/// An If on a value of the device launches both bodies, and each kernel in them looks at the
/// condition before it does anything. Only where a body has a loop that the host must read about
/// while it runs, the host reads the condition too.
final class ControlLowering {
  private final Lowering outer;
  private final Node node;

  ControlLowering(Lowering outer, Node node) {
    this.outer = outer;
    this.node = node;
  }

  void lower(Op.Control control) {
    switch (control) {
      case Op.If branch -> branch(branch);
      case Op.Loop loop -> new LoopLowering(outer, this, node, loop).lower();
      case Op.Iteration once -> iteration(once);
    }
  }

  /// Who knows a scalar of the graph around the body.
  static Decision decision(Lowering graph, Value value) {
    return graph.around().scope().knows(value)
        ? new Decision.OnHost(value)
        : new Decision.OnDevice(graph.arrayOf(value));
  }

  /// The arrays that the device computes to decide.
  static List<Array> read(Decision... decisions) {
    List<Array> arrays = new ArrayList<>();
    for (Decision decision : decisions) {
      if (decision instanceof Decision.OnDevice(Array array)) {
        arrays.add(array);
      }
    }
    return arrays;
  }

  /// A body, with what it reads from around it where that lies.
  Lowering body(Graph body, LoweringScope around) {
    Lowering inner = new Lowering(body, outer.target(), around);
    Op.Control control = (Op.Control) node.op();
    for (int k = control.firstCaptured(); k < node.inputs().size(); k++) {
      Value input = body.inputs().get(k - control.shift());
      if (around.needs().needs(input)) {
        inner.put(input, outer.arrayOf(node.inputs().get(k)));
      }
    }
    return inner;
  }

  /// Adds the node itself to the plan.
  void plan(int number, List<Array> reads, List<Array> writes, List<Body> bodies) {
    outer
        .steps()
        .plan(
            new Step(
                number,
                outer.around().prefix() + node.name(),
                node.onnxOp(),
                Step.Kind.COMPUTE,
                reads,
                writes,
                List.of(),
                List.of(),
                bodies));
  }

  /// The places of the results that are needed.
  List<Integer> results() {
    return IntStream.range(0, node.outputs().size())
        .filter(i -> outer.around().needs().needs(node.outputs().get(i)))
        .boxed()
        .toList();
  }

  private void branch(Op.If branch) {
    Decision condition = decision(outer, node.inputs().getFirst());
    LoweringScope then = outer.around().inner(node, 0, ".t");
    LoweringScope otherwise = outer.around().inner(node, 1, ".e");
    boolean isGuarded =
        condition instanceof Decision.OnDevice
            && !then.scope().waits()
            && !otherwise.scope().waits();
    if (isGuarded) {
      Array array = read(condition).getFirst();
      then = then.guardedBy(array, true);
      otherwise = otherwise.guardedBy(array, false);
    }
    int number = outer.around().steps().next();
    List<Array> results = new ArrayList<>();
    results().forEach(i -> results.add(outer.rowMajor(node.outputs().get(i))));
    Taken first = taken(branch.then(), then, results);
    Taken second = taken(branch.otherwise(), otherwise, results);
    plan(
        number,
        read(condition),
        results,
        List.of(first.planned(then.prefix()), second.planned(otherwise.prefix())));
    outer
        .steps()
        .schedule(
            new Schedule.Branch(
                node,
                isGuarded ? null : condition,
                first.body.steps().part(),
                second.body.steps().part()));
    List<Integer> places = results();
    for (int i = 0; i < places.size(); i++) {
      outer.put(node.outputs().get(places.get(i)), results.get(i));
    }
  }

  /* A branch, and its results where those of the node lie, under names of its own. */
  private record Taken(Lowering body, List<Array> results) {
    Body planned(String prefix) {
      return new Body(prefix, Body.Kind.BRANCH, List.of(), body.steps().planned(), results);
    }
  }

  private Taken taken(Graph graph, LoweringScope around, List<Array> results) {
    Lowering body = body(graph, around);
    body.nodes();
    List<Integer> places = results();
    List<Array> own = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      Value made = graph.outputs().get(places.get(i));
      Array result = results.get(i);
      Array target = result.view(around.prefix() + "=" + result.name(), result.index());
      body.steps().copy(node, made, body.arrayOf(made), target);
      own.add(target);
    }
    around.guards().stream().skip(outer.around().guards().size()).forEach(body.steps()::keep);
    return new Taken(body, own);
  }

  /* One iteration of an unrolled loop is a part of the graph around it. */
  private void iteration(Op.Iteration once) {
    Lowering body = body(once.body(), outer.around().inner(node, 0, ""));
    body.nodes();
    body.steps().planned().forEach(outer.steps()::plan);
    outer
        .steps()
        .schedule(new Schedule.Once(node, Math.toIntExact(once.number()), body.steps().part()));
    for (int i : results()) {
      outer.alias(node, body.arrayOf(once.body().outputs().get(i)), node.outputs().get(i));
    }
  }
}
