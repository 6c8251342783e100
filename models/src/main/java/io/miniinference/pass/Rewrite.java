package io.miniinference.pass;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Copies of graphs and nodes with a part changed.
public final class Rewrite {
  private Rewrite() {}

  /// The graph with other nodes.
  public static Graph nodes(Graph graph, List<Node> nodes) {
    return nodes(graph, nodes, graph.constants());
  }

  /// The graph with other nodes and constants.
  public static Graph nodes(Graph graph, List<Node> nodes, Map<Value, Tensor> constants) {
    return new Graph(
        graph.name(), graph.inputs(), graph.outputs(), nodes, constants, graph.rowwise());
  }

  /// The body with fewer inputs.
  static Graph inputs(Graph body, List<Value> inputs) {
    return new Graph(
        body.name(), inputs, body.outputs(), body.nodes(), body.constants(), body.rowwise());
  }

  /// The body with fewer outputs.
  static Graph outputs(Graph body, List<Value> outputs) {
    return new Graph(
        body.name(),
        body.inputs(),
        outputs,
        body.nodes(),
        body.constants(),
        body.rowwise().subList(0, outputs.size()));
  }

  /// The graph with each body of its nodes put through `change`, which keeps types and order of
  /// inputs and outputs.
  static Graph bodies(Graph graph, UnaryOperator<Graph> change) {
    if (graph.nodes().stream().noneMatch(node -> node.op() instanceof Op.Control)) {
      return graph;
    }
    return nodes(graph, graph.nodes().stream().map(node -> bodies(node, change)).toList());
  }

  /// The node with each of its bodies put through `change`; the node itself if it has none.
  static Node bodies(Node node, UnaryOperator<Graph> change) {
    if (!(node.op() instanceof Op.Control control)) {
      return node;
    }
    Op op = control.withBodies(control.bodies().stream().map(change).toList());
    return with(node, op, null, node.operands(), node.inputs());
  }

  /// A node that does a part of what `from` did, under its names.
  public static Node part(Node from, Op op, List<Value> inputs, Value output) {
    return Node.of(from.name(), from.onnxOp(), op, inputs, output);
  }

  /// The node with other values in the place of some that it reads.
  public static Node inputs(Node node, Map<Value, Value> replacements) {
    if (node.inputs().stream().noneMatch(replacements::containsKey)) {
      return node;
    }
    List<Value> inputs = node.inputs().stream().map(v -> replacements.getOrDefault(v, v)).toList();
    return with(node, node.op(), node.epilogue(), node.operands(), inputs);
  }

  /// The node with other results.
  static Node outputs(Node node, List<Value> outputs) {
    return new Node(
        node.name(),
        node.onnxOp(),
        node.op(),
        node.epilogue(),
        node.operands(),
        node.inputs(),
        outputs);
  }

  /// The node with another operator, under its names and for its results.
  public static Node with(
      Node node, Op op, @Nullable Expr epilogue, int operands, List<Value> inputs) {
    return new Node(node.name(), node.onnxOp(), op, epilogue, operands, inputs, node.outputs());
  }
}
