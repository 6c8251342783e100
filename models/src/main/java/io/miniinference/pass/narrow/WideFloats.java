package io.miniinference.pass.narrow;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import java.util.HashSet;
import java.util.Set;

/// The `f32` values of a graph that are not to be rounded to 16 bits: what a request gives and
/// gets, what bodies of If and Loop give, constants, and numbers that indices are computed from,
/// since neighbours among the larger of them would become one.
final class WideFloats {
  private final Graph graph;
  private final Set<Value> wide = new HashSet<>();
  private final Set<Value> exact = new HashSet<>();

  private WideFloats(Graph graph) {
    this.graph = graph;
  }

  static WideFloats of(Graph graph) {
    WideFloats found = new WideFloats(graph);
    found.wide.addAll(graph.inputs());
    found.wide.addAll(graph.outputs());
    found.wide.addAll(graph.constants().keySet());
    graph.nodes().stream()
        .filter(node -> keeps(node.op()))
        .forEach(node -> found.wide.addAll(node.outputs()));
    graph.nodes().stream()
        .filter(node -> isExact(node.op()))
        .forEach(node -> found.exact.addAll(node.operandValues()));
    found.countedOn();
    return found;
  }

  boolean contains(Value value) {
    return wide.contains(value);
  }

  /// Whether a node reads and gives `f32` always: by its operator, or since indices are computed
  /// from what it gives.
  boolean keeps(Node node) {
    return keeps(node.op())
        || !isRounding(node.op()) && node.outputs().stream().anyMatch(exact::contains);
  }

  /// Whether an operator reads and gives `f32` always: bodies have types of their own, sums of many
  /// updates would be rounded after each, sums of integers are to stay integers, boxes and the
  /// sides of a threshold are told from each other by little, and states would be rounded after
  /// each step.
  private static boolean keeps(Op op) {
    return switch (op) {
      case Op.Control _ -> true;
      case Op.Scatter scatter ->
          scatter.kind() == Op.ScatterKind.ADD || scatter.kind() == Op.ScatterKind.MUL;
      default -> isExact(op);
    };
  }

  private static boolean isExact(Op op) {
    return (op instanceof Op.Positional rows && rows.staysWide())
        || (op instanceof Op.Contraction sums && sums.exact());
  }

  /* From the last node to the first, so that one walk finds all. */
  private void countedOn() {
    for (Node node : graph.nodes().reversed()) {
      boolean isExact = node.outputs().stream().anyMatch(exact::contains) || makesIntegers(node);
      if (isExact && !isRounding(node.op())) {
        exact.addAll(node.inputs());
      }
    }
    wide.addAll(exact);
  }

  /* Products and what looks at whole rows is inexact by itself. */
  private static boolean isRounding(Op op) {
    return op instanceof Op.Contraction || op instanceof Op.RowMap || keeps(op);
  }

  private static boolean makesIntegers(Node node) {
    return switch (node.op()) {
      case Op.Elementwise map -> hasIntegers(map.expr());
      case Op.Reduce reduce -> hasIntegers(reduce.map());
      default -> node.epilogue() != null && hasIntegers(node.epilogue());
    };
  }

  private static boolean hasIntegers(Expr expr) {
    return ExprTree.any(expr, WideFloats::givesInteger);
  }

  /* Of a number, or of the bits that it has, the last of which rounding would clear. */
  private static boolean givesInteger(Expr part) {
    return switch (part) {
      case Expr.Cast(ElementType to, Expr _) -> to.isInteger();
      case Expr.Unary(Expr.UnaryOp op, Expr _) -> op == Expr.UnaryOp.BITS;
      default -> false;
    };
  }
}
