package io.miniinference.lower.steps;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailurePoint;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which steps can fail, and whose a failure is.
public final class FailurePoints {
  private static final int NO_STEP = -1;

  private final Fallible fallible;
  private final boolean timed;

  /// @param timed whether the program has loops
  FailurePoints(Graph graph, boolean timed) {
    fallible = Fallible.in(graph);
    this.timed = timed;
  }

  /// The points of a graph that is not lowered, and of the bodies in it, by the node itself: names
  /// need not be unique. They have no steps.
  public static Map<Node, FailurePoint> in(Graph graph) {
    Map<Node, FailurePoint> points = new IdentityHashMap<>();
    new FailurePoints(graph, true).addTo(points, graph);
    return points;
  }

  private void addTo(Map<Node, FailurePoint> points, Graph graph) {
    for (Node node : graph.nodes()) {
      if (node.op() instanceof Op.Control control) {
        control.bodies().forEach(body -> points.putAll(in(body)));
      } else {
        FailurePoint point = of(NO_STEP, node);
        if (point != null) {
          points.put(node, point);
        }
      }
    }
  }

  @Nullable FailurePoint of(int step, Node node) {
    if (!fallible.mayFail(node)) {
      return null;
    }
    return switch (node.op()) {
      case Op.Gather gather -> indexed(step, node, gather.selection(), gather.bounds().size());
      case Op.Scatter scatter -> indexed(step, node, scatter.selection(), null);
      case Op.Elementwise elementwise -> dividing(step, node, elementwise.expr());
      case Op.Reduce _, Op.Rearrangement _, Op.Regular _, Op.Control _ -> throw apart(node);
    };
  }

  private static IllegalStateException apart(Node node) {
    return new IllegalStateException(
        "node '%s' (%s) divides integers on the way; fusion keeps such work apart"
            .formatted(node.name(), node.onnxOp()));
  }

  private FailurePoint indexed(
      int step, Node node, Selection selection, IndexBounds.@Nullable Size size) {
    TensorType indices = node.inputs().get(1).type();
    int axis = Addressing.of(selection, node.inputs().getFirst().type(), indices).dataAxis(0);
    return point(step, node, axis, isByRow(indices) ? indices : null, size, null);
  }

  private FailurePoint dividing(int step, Node node, Expr expr) {
    Expr byZero = fallible.divisionByZero(expr, node.inputs()).orElseThrow();
    TensorType result = node.output().type();
    boolean byRow = isByRow(result) && readsRows(byZero, node, result.rank());
    return point(step, node, 0, byRow ? result : null, null, byZero);
  }

  /* Whether what decides over a failure differs by row: it is not a tensor that all rows share. */
  private static boolean readsRows(Expr expr, Node node, int rank) {
    return ExprTree.isPositional(expr)
        || ExprTree.directArgs(expr).stream()
            .map(k -> node.inputs().get(k).type())
            .anyMatch(type -> type.rank() == rank && isByRow(type));
  }

  private static boolean isByRow(TensorType type) {
    return type.rank() > 0 && type.dim(0).equals(Affine.N);
  }

  /* `rows`: the tensor whose axis 0 is the batch, if failures belong to rows. */
  private FailurePoint point(
      int step,
      Node node,
      int axis,
      @Nullable TensorType rows,
      IndexBounds.@Nullable Size size,
      @Nullable Expr byZero) {
    long positions = 1;
    for (int i = 1; rows != null && i < rows.rank(); i++) {
      positions = Math.multiplyExact(positions, rows.dim(i).asConstant());
    }
    return new FailurePoint(
        step, node.name(), node.onnxOp(), axis, rows != null, positions, size, byZero, timed);
  }
}
