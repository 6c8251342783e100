package io.miniinference.ops.draft;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What runs of a graph or body ahead of the first node without sizes: one that no run gets past,
/// since it makes a size negative or follows from what fails, or, if there is none, one whose sizes
/// are not known. Of a model that cannot be imported whole it is the part that can be run to see
/// whether it fails before that node does.
///
/// A node counts only if an output of its graph follows from it, as it does in a run.
public final class Earlier {
  private final OnnxGraph file;
  private final List<List<Value>> made = new ArrayList<>();
  private List<Value> ahead = List.of();

  /// Found where it is asked for: seldom is anything wrong.
  private @Nullable Set<String> needed;

  /// @param file whose nodes are imported one after the other
  public Earlier(OnnxGraph file) {
    this.file = file;
  }

  /// Notes what the next node of the file made, or, if it has no sizes, what runs in its bodies
  /// ahead of that.
  public void add(List<Value> values) {
    made.add(values);
  }

  /// Notes that the latest node has no sizes: what was noted up to here runs ahead of it.
  public void end() {
    ahead = new ArrayList<>();
    for (int place = 0; place < made.size(); place++) {
      if (isLive(place) || place == made.size() - 1) {
        ahead.addAll(made.get(place));
      }
    }
  }

  /// Values of the draft into which the nodes were imported.
  public List<Value> ahead() {
    return ahead;
  }

  /// The nodes among what runs ahead that may fail, with what they need, as a graph whose outputs
  /// nobody needs; empty if there are none. Bodies in it may hold nodes that none of their outputs
  /// follows from.
  public Optional<Graph> graph(List<Value> inputs, Draft draft) {
    Graph whole = Pruning.graph(file.name(), inputs, ahead, draft);
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

  /// Whether an output follows from the node at a place.
  public boolean isLive(int place) {
    return file.nodes().get(place).outputs().stream().anyMatch(needed()::contains);
  }

  /// The names of all that the outputs follow from, whether or not it was imported.
  public Set<String> needed() {
    Set<String> known = needed == null ? found() : needed;
    needed = known;
    return known;
  }

  private Set<String> found() {
    Set<String> needed = new LinkedHashSet<>();
    file.outputs().forEach(output -> needed.add(output.getName()));
    for (OnnxNode node : file.nodes().reversed()) {
      if (node.outputs().stream().anyMatch(needed::contains)) {
        read(node, needed);
      }
    }
    return needed;
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
