package io.miniinference.pass;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Makes nodes with bodies smaller: constants around them become constants inside, results that
/// nothing reads are not computed, values that are carried for nothing are not carried, and what no
/// body reads is not handed in.
public final class TidyBodies implements Pass {
  @Override
  public Graph apply(Graph whole) {
    Graph graph = new DeadCode().apply(whole);
    Set<Value> read = new HashSet<>(graph.outputs());
    graph.nodes().forEach(node -> read.addAll(node.inputs()));
    List<Node> nodes = graph.nodes().stream().map(node -> tidy(node, graph, read)).toList();
    return new DeadCode().apply(Rewrite.nodes(graph, nodes));
  }

  @Override
  public Graph everywhere(Graph graph) {
    return apply(graph);
  }

  private Node tidy(Node node, Graph graph, Set<Value> read) {
    Node less = Captures.constant(withResults(node, read), graph.constants());
    return Captures.used(Rewrite.bodies(less, this::apply));
  }

  private static Node withResults(Node node, Set<Value> read) {
    IntPredicate isRead = i -> read.contains(node.outputs().get(i));
    if (!(node.op() instanceof Op.Control control)) {
      return node;
    }
    return switch (control) {
      case Op.If _, Op.Iteration _ -> {
        List<Integer> unread = places(node.outputs().size(), isRead.negate());
        Node less =
            Rewrite.bodies(
                node, body -> Rewrite.outputs(body, Captures.without(body.outputs(), unread)));
        yield Rewrite.outputs(less, Captures.without(node.outputs(), unread));
      }
      case Op.Loop loop -> new LoopResults(node, loop).keep(isRead);
    };
  }

  private static List<Integer> places(int count, IntPredicate which) {
    return IntStream.range(0, count).filter(which).boxed().toList();
  }

  /* A loop with fewer results. */
  private record LoopResults(Node node, Op.Loop loop) {

    Node keep(IntPredicate isRead) {
      int results = node.outputs().size();
      Set<Integer> kept = new HashSet<>(places(results, isRead));
      while (kept.addAll(carriedFor(kept))) {}
      List<Integer> gone = places(results, i -> !kept.contains(i));
      List<Integer> carried = gone.stream().filter(i -> i < loop.carried()).toList();
      Graph body = loop.body();
      body = Rewrite.outputs(body, Captures.without(body.outputs(), shifted(gone, 1)));
      body = Rewrite.inputs(body, Captures.without(body.inputs(), shifted(carried, 1)));
      Op less = new Op.Loop(body, loop.carried() - carried.size(), loop.iterations());
      List<Value> operands = Captures.without(node.inputs(), shifted(carried, 2));
      return Rewrite.outputs(
          Rewrite.with(node, less, null, operands.size(), operands),
          Captures.without(node.outputs(), gone));
    }

    /* The carried values on which the condition and the results `kept` depend. */
    private List<Integer> carriedFor(Set<Integer> kept) {
      List<Value> outputs = new ArrayList<>(List.of(loop.body().outputs().getFirst()));
      kept.forEach(i -> outputs.add(loop.body().outputs().get(1 + i)));
      Graph slice = new DeadCode().apply(Rewrite.outputs(loop.body(), outputs));
      Set<Value> read = new HashSet<>(outputs);
      slice.nodes().forEach(inner -> read.addAll(inner.inputs()));
      return places(loop.carried(), i -> read.contains(loop.body().inputs().get(1 + i)));
    }

    private static List<Integer> shifted(List<Integer> places, int by) {
      return places.stream().map(i -> i + by).toList();
    }
  }
}
