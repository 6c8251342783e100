package io.miniinference.pass;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Copies of graphs and nodes with a part changed.
final class Rewrite {
  private Rewrite() {}

  static Graph nodes(Graph graph, List<Node> nodes) {
    return nodes(graph, nodes, graph.constants());
  }

  static Graph nodes(Graph graph, List<Node> nodes, Map<Value, Tensor> constants) {
    return new Graph(
        graph.name(), graph.inputs(), graph.outputs(), nodes, constants, graph.rowwise());
  }

  static Node inputs(Node node, Map<Value, Value> replacements) {
    if (node.inputs().stream().noneMatch(replacements::containsKey)) {
      return node;
    }
    List<Value> inputs = node.inputs().stream().map(v -> replacements.getOrDefault(v, v)).toList();
    return with(node, node.op(), node.epilogue(), node.operands(), inputs);
  }

  static Node with(Node node, Op op, @Nullable Expr epilogue, int operands, List<Value> inputs) {
    return new Node(node.name(), node.onnxOp(), op, epilogue, operands, inputs, node.output());
  }
}
