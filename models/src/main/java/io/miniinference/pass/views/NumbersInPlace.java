package io.miniinference.pass.views;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/// Makes numbers that follow from their index alone where a view of them would be read: one size of
/// a list of sizes is a number of its own, which may be known where others are not. Numbers that
/// take over [#MOST_PARTS] to say stay where they are.
public final class NumbersInPlace implements Pass {
  /// Most parts of an expression that is moved: each view adds some, and a file may have thousands.
  private static final int MOST_PARTS = 64;

  @Override
  public Graph apply(Graph graph) {
    Map<Value, Op.Elementwise> numbers = new HashMap<>();
    List<Node> nodes = new ArrayList<>();
    for (Node original : graph.nodes()) {
      Node node = inPlace(original, numbers);
      if (node.op() instanceof Op.Elementwise map
          && node.inputs().isEmpty()
          && isShort(map.expr())) {
        numbers.put(node.output(), map);
      }
      nodes.add(node);
    }
    return Rewrite.nodes(graph, nodes);
  }

  private static boolean isShort(Expr expr) {
    return left(expr, MOST_PARTS) >= 0;
  }

  /* What is left of so many parts, or −1: no longer expression is walked. */
  private static int left(Expr expr, int parts) {
    int left = parts - 1;
    for (Expr child : ExprTree.children(expr)) {
      if (left < 0) {
        return -1;
      }
      left = left(child, left);
    }
    return left;
  }

  private static Node inPlace(Node node, Map<Value, Op.Elementwise> numbers) {
    if (!(node.op() instanceof Op.View(Movement map))) {
      return node;
    }
    Op.Elementwise source = numbers.get(node.inputs().getFirst());
    TensorType type = node.output().type();
    return Optional.ofNullable(source)
        .flatMap(made -> indices(map, made.type(), type).map(to -> moved(made.expr(), to)))
        .map(expr -> Rewrite.with(node, new Op.Elementwise(expr, type), null, 0, List.of()))
        .orElse(node);
  }

  /* What the index on an axis of the source is in indices of the view, for views that keep axes. */
  private static Optional<IntFunction<Expr>> indices(Movement map, TensorType from, TensorType to) {
    return switch (map) {
      case Movement.Slice slice when slice.starts().stream().allMatch(Affine::isConstant) ->
          Optional.of(axis -> sliced(slice, axis));
      case Movement.Reshape _ when Places.sameAxes(from, to) ->
          Optional.of(axis -> reshaped(axis, from, to));
      case Movement.Slice _, Movement.Reshape _, Movement.Transpose _, Movement.Expand _ ->
          Optional.empty();
    };
  }

  private static Expr sliced(Movement.Slice slice, int axis) {
    Expr start = Expr.Const.of(slice.starts().get(axis).constant());
    if (slice.extents().get(axis).equals(Affine.ONE)) {
      return start;
    }
    Expr step = Expr.Const.of(slice.steps().get(axis));
    Expr moved = new Expr.Binary(Expr.BinaryOp.MUL, new Expr.Index(axis), step);
    return new Expr.Binary(Expr.BinaryOp.ADD, moved, start);
  }

  private static Expr reshaped(int axis, TensorType from, TensorType to) {
    int place = Places.longAxes(from).indexOf(axis);
    return place < 0 ? Expr.Const.of(0L) : new Expr.Index(Places.longAxes(to).get(place));
  }

  private static Expr moved(Expr expr, IntFunction<Expr> indices) {
    return expr instanceof Expr.Index(int axis)
        ? indices.apply(axis)
        : ExprTree.mapChildren(expr, child -> moved(child, indices));
  }
}
