package io.miniinference.pass.views;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Movement;
import io.miniinference.pass.DeadCode;
import io.miniinference.pass.FreshNames;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Has a convolution, or the largest of a window, see the zeros around its operand where a node
/// before it wrote them: Keras, and networks after TensorFlow's rule `SAME`, pad ahead of what has
/// strides, which makes a copy of the whole map. To the largest of a window zeros are nothing where
/// no element is less.
public final class PadsInWindows implements Pass {
  @Override
  public Graph apply(Graph graph) {
    return graph.nodes().stream().anyMatch(node -> ZeroPads.of(node).isPresent())
        ? new DeadCode().apply(new Padding(graph).graph())
        : graph;
  }

  private static final class Padding {
    private final Graph graph;
    private final FreshNames names;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Value, ZeroPads> pads = new HashMap<>();

    /// Values without an element below zero.
    private final Set<Value> notNegative = new HashSet<>();

    Padding(Graph graph) {
      this.graph = graph;
      names = new FreshNames(graph);
    }

    Graph graph() {
      for (Node node : graph.nodes()) {
        see(node);
        nodes.add(padding(node).orElse(node));
      }
      return Rewrite.nodes(graph, nodes);
    }

    private void see(Node node) {
      ZeroPads.of(node).ifPresent(it -> pads.put(node.output(), it));
      if (node.op() instanceof Op.View(Movement.Transpose transpose)) {
        ZeroPads viewed = pads.get(node.inputs().getFirst());
        if (viewed != null) {
          pads.put(node.output(), transposed(node, viewed, transpose));
        }
      }
      if (node.op() instanceof Op.Elementwise(Expr expr, _) && isNotNegative(expr)) {
        notNegative.add(node.output());
      }
    }

    private ZeroPads transposed(Node node, ZeroPads viewed, Movement.Transpose transpose) {
      Value source = viewed.source();
      TensorType type = source.type();
      Value result =
          new Value(
              names.of(node.output().name() + " before pads"),
              new TensorType(type.element(), transpose.axes(type.shape())));
      nodes.add(Rewrite.part(node, node.op(), List.of(source), result));
      return new ZeroPads(result, transpose.axes(viewed.begin()), transpose.axes(viewed.end()));
    }

    /* As Relu and its kin are. */
    private static boolean isNotNegative(Expr expr) {
      return expr instanceof Expr.Binary(BinaryOp op, Expr left, Expr right)
          && switch (op) {
            case MAX -> isNoLess(left) || isNoLess(right);
            case MIN -> isNotNegative(left) && isNoLess(right);
            default -> false;
          };
    }

    private static boolean isNoLess(Expr expr) {
      return expr instanceof Expr.Const number && number.asDouble() >= 0;
    }

    private Optional<Node> padding(Node node) {
      ZeroPads known = node.inputs().isEmpty() ? null : pads.get(node.inputs().getFirst());
      return known == null || !known.source().type().element().isFloat()
          ? Optional.empty()
          : padded(node.op(), known).map(op -> onSource(node, op, known.source()));
    }

    private Optional<Op> padded(Op op, ZeroPads known) {
      return switch (op) {
        case Op.Conv(Window window, int groups, boolean exact) ->
            known.in(window).map(it -> new Op.Conv(it, groups, exact));
        case Op.WindowReduce(Op.PoolKind kind, Window window, boolean ceilMode)
            when kind == Op.PoolKind.MAX && !ceilMode && notNegative.contains(known.source()) ->
            known.in(window).map(it -> new Op.WindowReduce(kind, it, false));
        default -> Optional.empty();
      };
    }

    private static Node onSource(Node node, Op op, Value source) {
      List<Value> inputs = new ArrayList<>(node.inputs());
      inputs.set(0, source);
      return Rewrite.with(node, op, node.epilogue(), node.operands(), inputs);
    }
  }
}
