package io.miniinference.ops.draft;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Rowwise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Leaves out what importing computed for its own use only: shapes, axes, and their constants.
public final class Pruning {
  private Pruning() {}

  public static Graph graph(String name, List<Value> inputs, List<Value> outputs, Draft draft) {
    List<Node> kept = kept(draft.nodes(), outputs);
    Set<Value> live = new HashSet<>(outputs);
    kept.forEach(node -> live.addAll(node.inputs()));
    Map<Value, Tensor> constants = new LinkedHashMap<>(draft.constants());
    constants.keySet().retainAll(live);
    List<Boolean> rowwise = outputs.stream().map(_ -> false).toList();
    return Rowwise.mark(new Graph(name, inputs, outputs, kept, constants, rowwise));
  }

  /// The nodes that `outputs` follow from, in their order.
  public static List<Node> kept(List<Node> nodes, List<Value> outputs) {
    Set<Value> live = new HashSet<>(outputs);
    List<Node> kept = new ArrayList<>();
    for (Node node : nodes.reversed()) {
      if (node.givesAnyOf(live)) {
        live.addAll(node.inputs());
        kept.addFirst(node);
      }
    }
    return kept;
  }
}
