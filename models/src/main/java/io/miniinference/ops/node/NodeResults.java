package io.miniinference.ops.node;

import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxNode;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The types of what a file's nodes give, those in bodies included, before anything is simplified:
/// what would be in memory if each value had its own.
///
/// Of an If whose condition is known at load only the branch taken is imported, and known here.
public final class NodeResults {
  private final Map<OnnxNode, Map<String, TensorType>> types = new IdentityHashMap<>();

  /// Notes what a node gives. The largest counts where a node is imported more than once (in a loop
  /// that is written out).
  void note(OnnxNode node, String name, TensorType type) {
    types
        .computeIfAbsent(node, _ -> new HashMap<>())
        .merge(name, type, (a, b) -> oneRow(a) >= oneRow(b) ? a : b);
  }

  private static long oneRow(TensorType type) {
    return type.elements().at(1);
  }

  /// The results of a graph's nodes and of their bodies, under the file's names, which may repeat.
  ///
  /// Weights are left out: what follows from constants alone and is no output of its graph.
  public List<Value> of(OnnxGraph graph) {
    List<Value> results = new ArrayList<>();
    add(graph, Set.of(), results);
    return results;
  }

  private void add(OnnxGraph graph, Set<String> around, List<Value> results) {
    Set<String> constants = new HashSet<>(around);
    graph.inputs().stream().map(ValueInfoProto::getName).forEach(constants::remove);
    graph.initializers().stream().map(TensorProto::getName).forEach(constants::add);
    Set<String> outputs = new HashSet<>();
    graph.outputs().forEach(output -> outputs.add(output.getName()));
    for (OnnxNode node : graph.nodes()) {
      boolean constant = node.bodies().isEmpty() && constants.containsAll(given(node));
      if (constant) {
        constants.addAll(node.outputs());
      }
      for (String name : node.outputs()) {
        if (!constant || outputs.contains(name)) {
          add(node, name, results);
        }
      }
      node.bodies().values().forEach(body -> add(body, constants, results));
    }
  }

  private static List<String> given(OnnxNode node) {
    return node.inputs().stream().filter(name -> !name.isEmpty()).toList();
  }

  private void add(OnnxNode node, String name, List<Value> results) {
    TensorType type = types.getOrDefault(node, Map.of()).get(name);
    if (type != null) {
      results.add(new Value(name, type));
    }
  }
}
