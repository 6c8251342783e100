package io.miniinference.pass;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Drops nodes and constants that no output depends on. Inputs stay, and all outputs of a node of
/// which one is read.
public final class DeadCode implements Pass {
  @Override
  public Graph apply(Graph graph) {
    Set<Value> live = new HashSet<>(graph.outputs());
    List<Node> kept = new ArrayList<>();
    for (Node node : graph.nodes().reversed()) {
      if (node.outputs().stream().anyMatch(live::contains)) {
        live.addAll(node.inputs());
        kept.add(node);
      }
    }
    Map<Value, Tensor> constants = new LinkedHashMap<>(graph.constants());
    constants.keySet().retainAll(live);
    return Rewrite.nodes(graph, kept.reversed(), constants);
  }
}
