package io.miniinference.pass;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Drops nodes and constants that no output depends on, and results that nothing reads where the
/// operator can do without. Inputs stay.
public final class DeadCode implements Pass {
  @Override
  public Graph apply(Graph graph) {
    Set<Value> live = new HashSet<>(graph.outputs());
    List<Node> kept = new ArrayList<>();
    for (Node node : graph.nodes().reversed()) {
      if (node.givesAnyOf(live)) {
        live.addAll(node.inputs());
        kept.add(withResults(node, live));
      }
    }
    if (kept.reversed().equals(graph.nodes()) && live.containsAll(graph.constants().keySet())) {
      return graph;
    }
    Map<Value, Tensor> constants = new LinkedHashMap<>(graph.constants());
    constants.keySet().retainAll(live);
    return Rewrite.nodes(graph, kept.reversed(), constants);
  }

  private static Node withResults(Node node, Set<Value> live) {
    if (!(node.op() instanceof Op.Selectable op)) {
      return node;
    }
    List<Value> outputs = node.outputs();
    List<Integer> read =
        IntStream.range(0, outputs.size())
            .filter(i -> live.contains(outputs.get(i)))
            .boxed()
            .toList();
    if (read.size() == outputs.size()) {
      return node;
    }
    Node less =
        Rewrite.with(node, op.keeping(read), node.epilogue(), node.operands(), node.inputs());
    return Rewrite.outputs(less, read.stream().map(outputs::get).toList());
  }
}
