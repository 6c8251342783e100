package io.miniinference.ops;

import io.miniinference.ir.Fallible;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Value;
import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What runs ahead of a node and may fail: of a model that cannot be imported whole, the part that
/// can be run to see whether it fails before that node does.
final class Earlier {
  private Earlier() {}

  /// The nodes that may fail before node `place` of the file, with what they need, as a graph whose
  /// outputs nobody needs; empty if there are none. A node counts only if an output of the model
  /// follows from it, as it does in a run.
  static Optional<Graph> than(
      int place, OnnxGraph file, Names names, List<Value> inputs, Draft draft) {
    List<Value> before = new ArrayList<>();
    for (int k : live(file)) {
      if (k < place) {
        List<String> outputs = file.nodes().get(k).outputs();
        outputs.forEach(name -> names.value(name).ifPresent(before::add));
      }
    }
    Graph whole = Pruning.graph(file.name(), inputs, before, draft);
    Fallible fallible = Fallible.in(whole);
    List<Value> failing =
        whole.nodes().stream()
            .filter(fallible::mayFail)
            .map(Node::outputs)
            .flatMap(List::stream)
            .toList();
    return failing.isEmpty()
        ? Optional.empty()
        : Optional.of(Pruning.graph(file.name(), inputs, failing, draft));
  }

  /* The places of the nodes that an output follows from, last to first. */
  private static List<Integer> live(OnnxGraph graph) {
    Set<String> needed = new HashSet<>();
    graph.outputs().forEach(output -> needed.add(output.getName()));
    List<Integer> live = new ArrayList<>();
    for (int k = graph.nodes().size() - 1; k >= 0; k--) {
      OnnxNode node = graph.nodes().get(k);
      if (node.outputs().stream().anyMatch(needed::contains)) {
        live.add(k);
        read(node, needed);
      }
    }
    return live;
  }

  /* Names that a node and its bodies read; a body's own names do no harm. */
  private static void read(OnnxNode node, Set<String> names) {
    names.addAll(node.inputs());
    names.remove("");
    for (OnnxGraph body : node.bodies().values()) {
      body.outputs().forEach(output -> names.add(output.getName()));
      body.nodes().forEach(inner -> read(inner, names));
    }
  }
}
