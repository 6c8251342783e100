package io.miniinference.pass;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Takes numbers that the operands of a matrix product are multiplied by behind the product, where
/// they cost no launch: `(a · c) × (b · d)` as `(a × b) · cd`. Attention is written like that by
/// PyTorch's exporter, which scales queries and keys by the root of the scale.
public final class FactorsBehindProducts implements Pass {
  @Override
  public Graph apply(Graph graph) {
    return new Factoring(graph).graph();
  }

  /// A value, and what it is multiplied by.
  private record Factored(Value value, double factor) {}

  private static final class Factoring {
    private final Graph graph;
    private final Map<Value, Node> producers = new HashMap<>();
    private final Map<Value, Integer> readers = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();

    Factoring(Graph graph) {
      this.graph = graph;
      graph.outputs().forEach(v -> readers.merge(v, 1, Integer::sum));
      graph
          .nodes()
          .forEach(node -> {
            node.inputs().forEach(v -> readers.merge(v, 1, Integer::sum));
            node.outputs().forEach(v -> producers.put(v, node));
          });
    }

    Graph graph() {
      graph.nodes().forEach(this::rewrite);
      return new DeadCode().apply(Rewrite.nodes(graph, nodes));
    }

    private void rewrite(Node node) {
      if (!(node.op() instanceof Op.MatMul product) || !isOfFloats(node) || product.exact()) {
        nodes.add(node);
        return;
      }
      Factored a = factored(node.inputs().get(0));
      Factored b = factored(node.inputs().get(1));
      double factor = a.factor() * b.factor();
      if (factor == 1 || !Double.isFinite((float) factor) || (float) factor == 0) {
        nodes.add(node);
        return;
      }
      Value plain = new Value(node.output().name() + " without factor", node.output().type());
      nodes.add(Rewrite.part(node, product, List.of(a.value(), b.value()), plain));
      Expr scaled = mul(arg(0), const_(plain.type().element(), factor));
      nodes.add(
          Rewrite.part(
              node, new Op.Elementwise(scaled, plain.type()), List.of(plain), node.output()));
    }

    /* Halves would leave their range. */
    private static boolean isOfFloats(Node node) {
      ElementType type = node.output().type().element();
      return node.epilogue() == null && (type == ElementType.F32 || type == ElementType.F64);
    }

    private Factored factored(Value operand) {
      Node producer = producers.get(operand);
      if (producer == null
          || readers.getOrDefault(operand, 0) != 1
          || !(producer.op() instanceof Op.Elementwise(Expr.Binary binary, _))
          || binary.op() != Expr.BinaryOp.MUL) {
        return new Factored(operand, 1);
      }
      return factored(producer, binary.left(), binary.right())
          .or(() -> factored(producer, binary.right(), binary.left()))
          .orElseGet(() -> new Factored(operand, 1));
    }

    private Optional<Factored> factored(Node node, Expr value, Expr number) {
      if (!(value instanceof Expr.Arg(int k))
          || !node.inputs().get(k).type().equals(node.output().type())) {
        return Optional.empty();
      }
      return ConstantExpressions.number(graph, node, number)
          .map(constant -> new Factored(node.inputs().get(k), constant.asDouble()));
    }
  }
}
