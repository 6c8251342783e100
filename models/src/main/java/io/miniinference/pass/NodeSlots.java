package io.miniinference.pass;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A graph's nodes by place in its order, with who makes and who reads each value, while nodes are
/// merged.
final class NodeSlots {
  /// Places from one node to the next: those between are for what goes before it.
  private static final int APART = 16;

  private final TreeMap<Integer, Node> nodes = new TreeMap<>();
  private final Map<Value, Integer> producers = new HashMap<>();
  private final Map<Value, TreeSet<Integer>> readers = new HashMap<>();
  private final Set<Value> outputs;
  private final Fallible fallible;

  NodeSlots(Graph graph) {
    outputs = new HashSet<>(graph.outputs());
    fallible = Fallible.in(graph);
    for (int i = 0; i < graph.nodes().size(); i++) {
      set(Math.multiplyExact(i, APART), graph.nodes().get(i));
    }
  }

  List<Integer> places() {
    return List.copyOf(nodes.keySet());
  }

  List<Node> nodes() {
    return List.copyOf(nodes.values());
  }

  @Nullable Node at(int place) {
    return nodes.get(place);
  }

  /// The node at a place that has one.
  Node existing(int place) {
    return Objects.requireNonNull(nodes.get(place));
  }

  /// Puts a node at `place`, instead of what was there.
  void set(int place, Node node) {
    remove(place);
    nodes.put(place, node);
    node.outputs().forEach(v -> producers.put(v, place));
    node.inputs().forEach(v -> readers.computeIfAbsent(v, _ -> new TreeSet<>()).add(place));
  }

  /// Puts nodes right before the one at `place`, where none was put before; fewer than sixteen.
  void setBefore(int place, List<Node> before) {
    for (int i = 0; i < before.size(); i++) {
      set(place - before.size() + i, before.get(i));
    }
  }

  void remove(int place) {
    Node old = nodes.remove(place);
    if (old != null) {
      old.outputs().forEach(producers::remove);
      old.inputs().forEach(v -> readersOf(v).remove(place));
    }
  }

  @Nullable Integer producerOf(Value value) {
    return producers.get(value);
  }

  boolean isOutput(Value value) {
    return outputs.contains(value);
  }

  Set<Integer> readersOf(Value value) {
    return readers.getOrDefault(value, new TreeSet<>());
  }

  /// Whether nothing but the node at `place` reads the value.
  boolean isReadOnlyAt(Value value, int place) {
    return !isOutput(value) && readersOf(value).equals(Set.of(place));
  }

  /// Whether the node at `from` may move to `to` without a change in which failure comes first.
  boolean mayMove(int from, int to) {
    Node node = nodes.get(from);
    return node == null
        || !fallible.mayFail(node)
        || nodes.subMap(from, false, to, false).values().stream().noneMatch(fallible::mayFail);
  }
}
