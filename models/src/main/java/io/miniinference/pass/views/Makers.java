package io.miniinference.pass.views;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What makes the values of a graph while a pass writes it anew, and which of them one node alone
/// reads, so that they may go away with it.
final class Makers {
  private final Set<Value> outputs;
  private final Map<Value, Integer> readers = new HashMap<>();
  private final Map<Value, Node> makers = new HashMap<>();

  /// @param graph before the pass, which says how often its values are read
  Makers(Graph graph) {
    outputs = new HashSet<>(graph.outputs());
    graph.nodes().stream()
        .flatMap(node -> node.inputs().stream())
        .forEach(value -> readers.merge(value, 1, Integer::sum));
  }

  void add(Node node) {
    node.outputs().forEach(value -> makers.put(value, node));
  }

  /// Notes a value that the pass made for one reader.
  void setReadOnce(Value value) {
    readers.put(value, 1);
  }

  /// The node that makes a value, where nothing but one node reads it; null else, or if none does.
  @Nullable Node ofReadOnce(Value value) {
    boolean isOnce = !outputs.contains(value) && readers.getOrDefault(value, 0) == 1;
    return isOnce ? makers.get(value) : null;
  }
}
