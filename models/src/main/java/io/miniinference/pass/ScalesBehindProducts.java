package io.miniinference.pass;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Takes the scale of quantised weights (DequantizeLinear of a constant) behind the product that
/// reads them, where it is one for each result: `x · (q − zero point) · scale` as `(x · (q − zero
/// point)) · scale`. Weights are integers of 8 bits then, which a target may keep as such. It runs
/// ahead of folding, which would make floats of them.
public final class ScalesBehindProducts implements Pass {
  @Override
  public Graph apply(Graph graph) {
    return new Scaling(graph).graph();
  }

  /// Weights, and what they are multiplied by.
  private record Scaled(Value integers, Value scale) {}

  private static final class Scaling {
    private final Graph graph;
    private final Map<Value, Node> producers = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();

    /// Constants, and what is computed from them alone.
    private final Set<Value> constant;

    Scaling(Graph graph) {
      this.graph = graph;
      constant = new HashSet<>(graph.constants().keySet());
      graph.nodes().forEach(this::note);
    }

    private void note(Node node) {
      node.outputs().forEach(v -> producers.put(v, node));
      if (constant.containsAll(node.inputs()) && !(node.op() instanceof Op.Control)) {
        constant.addAll(node.outputs());
      }
    }

    Graph graph() {
      graph.nodes().forEach(this::rewrite);
      return new DeadCode().apply(Rewrite.nodes(graph, nodes));
    }

    private void rewrite(Node node) {
      Optional<Scaled> weights =
          isProduct(node) ? scaled(node.inputs().get(1), node.name()) : Optional.empty();
      weights
          .filter(found -> isOfResults(node, found))
          .ifPresentOrElse(found -> behind(node, found), () -> nodes.add(node));
    }

    private static boolean isProduct(Node node) {
      return (node.op() instanceof Op.MatMul || node.op() instanceof Op.Conv)
          && node.epilogue() == null
          && node.output().type().element() == ElementType.F32;
    }

    /* Weights that are integers times a scale, maybe turned after that. */
    private Optional<Scaled> scaled(Value weights, String reader) {
      Node producer = producers.get(weights);
      if (producer == null) {
        return Optional.empty();
      }
      return switch (producer.op()) {
        case Op.View(Movement.Transpose turn) ->
            scaled(producer.inputs().getFirst(), reader)
                .filter(found -> rank(found.scale()) == turn.permutation().size())
                .map(found ->
                    new Scaled(
                        turned(producer, found.integers()), turned(producer, found.scale())));
        case Op.Elementwise(Expr.Binary(var op, Expr integers, Expr.Arg(int scale)), _)
            when op == BinaryOp.MUL
                && isOfBytes(integers, producer)
                && isConstant(producer.inputs().get(scale)) ->
            Optional.of(unscaled(producer, integers, producer.inputs().get(scale), reader));
        default -> Optional.empty();
      };
    }

    private static int rank(Value value) {
      return value.type().rank();
    }

    /* A constant of 8 bits as a float, less a zero point where there is one. */
    private boolean isOfBytes(Expr expr, Node node) {
      return switch (expr) {
        case Expr.Cast(ElementType to, Expr.Arg(int k)) ->
            to == ElementType.F32
                && node.inputs().get(k).type().element().bytes() == 1
                && isConstant(node.inputs().get(k));
        case Expr.Binary(var op, Expr left, Expr right) ->
            op == BinaryOp.SUB && isOfBytes(left, node) && isOfBytes(right, node);
        default -> false;
      };
    }

    private boolean isConstant(Value value) {
      return constant.contains(value);
    }

    private Scaled unscaled(Node node, Expr integers, Value scale, String reader) {
      TensorType type = node.output().type();
      Value whole = new Value(node.output().name() + " unscaled for " + reader, type);
      OperandList operands = new OperandList();
      Expr packed = operands.pack(integers, node.inputs());
      nodes.add(Rewrite.part(node, new Op.Elementwise(packed, type), operands.values(), whole));
      return new Scaled(whole, scale);
    }

    private Value turned(Node turn, Value value) {
      var transpose = (Movement.Transpose) ((Op.View) turn.op()).map();
      List<Affine> shape = transpose.axes(value.type().shape());
      Value turned = new Value(value.name() + " turned", value.type().withShape(shape));
      nodes.add(Rewrite.part(turn, turn.op(), List.of(value), turned));
      return turned;
    }

    /* Whether the scale is the same along all axes that are summed over, and no larger than the weights. */
    private static boolean isOfResults(Node node, Scaled weights) {
      int rank = rank(weights.integers());
      int missing = rank - rank(weights.scale());
      int kept = keptAxis(node, rank);
      return missing >= 0
          && (node.op() instanceof Op.Conv || rank == 2)
          && IntStream.range(missing, rank)
              .allMatch(axis ->
                  axis == kept || weights.scale().type().dim(axis - missing).equals(Affine.ONE));
    }

    /* The axis of the weights that is one of the result. */
    private static int keptAxis(Node node, int rank) {
      return switch (node.op()) {
        case Op.MatMul product -> product.transposeB() ? rank - 2 : rank - 1;
        default -> 0;
      };
    }

    private void behind(Node node, Scaled weights) {
      Value product = new Value(node.output().name() + " unscaled", node.output().type());
      List<Value> operands = List.of(node.inputs().getFirst(), weights.integers());
      nodes.add(Rewrite.part(node, node.op(), operands, product));
      Value scale = alongResult(node, weights.scale());
      Op scaling = new Op.Elementwise(mul(arg(0), arg(1)), node.output().type());
      nodes.add(Rewrite.part(node, scaling, List.of(product, scale), node.output()));
    }

    /* The scale as it broadcasts to the result: of channels `[M, 1, …]`, of columns `[N]`. */
    private Value alongResult(Node node, Value scale) {
      List<Affine> shape = new ArrayList<>();
      shape.add(scale.type().elements());
      if (node.op() instanceof Op.Conv) {
        IntStream.range(2, rank(node.output())).forEach(_ -> shape.add(Affine.ONE));
      }
      Value moved = new Value(scale.name() + " of " + node.name(), scale.type().withShape(shape));
      nodes.add(
          Rewrite.part(node, new Op.View(new Movement.Reshape(shape)), List.of(scale), moved));
      return moved;
    }
  }
}
