package io.miniinference.ir.type;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The rules that every graph keeps: names are unique, values are defined once and before they are
/// used, types are those of [OpType], epilogues read what their node has, constants have the type
/// of their value; and the same in the bodies of nodes. Cheap enough to run after every pass at
/// every load.
public final class GraphCheck {
  private final Graph graph;
  private final Set<String> names = new HashSet<>();
  private final Set<Value> defined = new HashSet<>();

  private GraphCheck(Graph graph) {
    this.graph = graph;
  }

  /// Gives the graph back.
  ///
  /// @throws IllegalStateException naming the graph, the node and the rule that it breaks
  public static Graph check(Graph graph) {
    new GraphCheck(graph).run();
    return graph;
  }

  private void run() {
    graph.inputs().forEach(v -> define(v, () -> "input"));
    for (Map.Entry<Value, Tensor> constant : graph.constants().entrySet()) {
      Value value = constant.getKey();
      define(value, () -> "constant");
      TensorType content = constant.getValue().type();
      require(content.equals(value.type()), () -> "constant " + value + " holds " + content);
    }
    graph.nodes().forEach(this::node);
    graph.outputs().forEach(v -> use(v, () -> "the graph's outputs"));
    require(
        graph.rowwise().size() == graph.outputs().size(),
        () -> graph.outputs().size() + " outputs, " + graph.rowwise().size() + " rowwise flags");
  }

  private void node(Node node) {
    Supplier<String> where = () -> "node '" + node.name() + "' (" + node.onnxOp() + ")";
    node.inputs().forEach(v -> use(v, where));
    require(
        node.operands() >= 0 && node.operands() <= node.inputs().size(),
        () ->
            "%s has %d operands of %d inputs"
                .formatted(where.get(), node.operands(), node.inputs().size()));
    bodies(node, where);
    List<TensorType> types = typesOf(node, where);
    List<TensorType> given = node.outputs().stream().map(Value::type).toList();
    require(
        types.equals(given),
        () -> where.get() + " gives " + text(types) + ", not " + text(node.outputs()));
    node.outputs().forEach(v -> define(v, where));
  }

  private void bodies(Node node, Supplier<String> where) {
    if (node.op() instanceof Op.Control control) {
      try {
        control.bodies().forEach(GraphCheck::check);
      } catch (IllegalStateException e) {
        throw new IllegalStateException(
            "graph '" + graph.name() + "': " + where.get() + ": " + e.getMessage(), e);
      }
    }
  }

  private static String text(List<?> parts) {
    return parts.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  private List<TensorType> typesOf(Node node, Supplier<String> where) {
    try {
      return OpType.outputs(node);
    } catch (ShapeException e) {
      throw new IllegalStateException(
          "graph '" + graph.name() + "': " + where.get() + ": " + e.getMessage(), e);
    }
  }

  private void use(Value value, Supplier<String> where) {
    require(defined.contains(value), () -> where.get() + ": " + value + " is not defined before");
  }

  private void define(Value value, Supplier<String> where) {
    require(
        names.add(value.name()), () -> where.get() + ": '" + value.name() + "' is defined twice");
    defined.add(value);
  }

  private void require(boolean ok, Supplier<String> reason) {
    if (!ok) {
      throw new IllegalStateException("graph '" + graph.name() + "': " + reason.get());
    }
  }
}
