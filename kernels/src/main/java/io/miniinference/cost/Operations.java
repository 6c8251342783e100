package io.miniinference.cost;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Counts what a node computes: a multiplication and an addition are two operations, as is usual;
/// an exponential is one, as is the move of an element that is not changed.
final class Operations {
  /// Of an element of a softmax: maximum, difference, exponential, sum, product.
  private static final int SOFTMAX = 5;

  /// Of an element that is normalised: sum, difference, square, sum, product.
  private static final int NORMALIZE = 5;

  /// Of a gate of a recurrent layer: sums, an exponential, a quotient, a product.
  private static final int GATE = 8;

  private Operations() {}

  /// Operations of a node at batch size `n`, its epilogue's among them. A count beyond a `long` is
  /// the largest one.
  static long of(Node node, long n) {
    double epilogue = node.epilogue() == null ? 0 : own(node.epilogue());
    double results = node.outputs().stream().mapToDouble(v -> elements(v.type(), n)).sum();
    return (long) (of(node, node.op(), results, n) + epilogue * results);
  }

  private static double of(Node node, Op op, double results, long n) {
    return switch (op) {
      case Op.Elementwise map -> results * Math.max(1, own(map.expr()));
      case Op.MatMul product -> 2 * results * depth(input(node, 0), product);
      case Op.Attention attention -> attention(node, attention, n);
      case Op.Conv _ -> 2 * results * perOutput(input(node, 1));
      case Op.ConvTranspose _ -> 2 * elements(input(node, 0), n) * perOutput(input(node, 1));
      case Op.WindowReduce pool ->
          results * pool.window().kernel().stream().mapToLong(k -> k).reduce(1, (a, b) -> a * b);
      case Op.Reduce reduce -> elements(input(node, 0), n) * (1 + own(reduce.map()));
      case Op.Softmax _ -> SOFTMAX * results;
      case Op.Normalize _ -> NORMALIZE * results;
      case Op.Recurrent _ -> recurrent(node, n);
      case Op.Positional _ -> elements(input(node, 0), n);
      case Op.Gather _ -> results;
      case Op.Scatter _ -> elements(input(node, 2), n);
      case Op.Iteration once -> once.body().nodes().stream().mapToDouble(it -> of(it, n)).sum();
      case Op.Rearrangement _, Op.Control _ -> 0;
    };
  }

  /* Of both products, and of a softmax of the scores between them. */
  private static double attention(Node node, Op.Attention op, long n) {
    long[] result = node.output().type().shapeAt(n);
    long[] keys = node.inputs().get(1).type().shapeAt(n);
    long[] queries = node.inputs().getFirst().type().shapeAt(n);
    double rows =
        Arrays.stream(result, 0, result.length - 1).asDoubleStream().reduce(1, (a, b) -> a * b);
    double scores = rows * keys[keys.length - (op.rowsOfKeys() ? 2 : 1)];
    return scores * (2.0 * queries[queries.length - 1] + SOFTMAX + 2.0 * result[result.length - 1]);
  }

  /* Of the products of all states, and some of each gate's functions. */
  private static double recurrent(Node node, long n) {
    double gates = elements(input(node, 0), n);
    double hidden = node.inputs().get(Op.Recurrent.WEIGHTS).type().shapeAt(1)[1];
    return gates * (2 * hidden + GATE);
  }

  private static @Nullable TensorType input(Node node, int index) {
    return index < node.inputs().size() ? node.inputs().get(index).type() : null;
  }

  private static double elements(@Nullable TensorType type, long n) {
    return type == null
        ? 0
        : Arrays.stream(type.shapeAt(n)).asDoubleStream().reduce(1, (a, b) -> a * b);
  }

  private static double depth(@Nullable TensorType left, Op.MatMul op) {
    return left == null ? 0 : left.shapeAt(1)[left.rank() - (op.transposeA() ? 2 : 1)];
  }

  /* Weights that meet in one output (or, of a transposed convolution, that one input meets). */
  private static double perOutput(@Nullable TensorType weight) {
    if (weight == null) {
      return 0;
    }
    long[] shape = weight.shapeAt(1);
    return IntStream.range(1, shape.length).mapToDouble(i -> shape[i]).reduce(1, (a, b) -> a * b);
  }

  /* Operators of an expression, those of coordinates left out. */
  private static int own(Expr expr) {
    int[] count = {0};
    ExprTree.visit(expr, e -> count[0] += isOperation(e) ? 1 : 0);
    return count[0];
  }

  private static boolean isOperation(Expr expr) {
    return switch (expr) {
      case Expr.Unary _, Expr.Binary _, Expr.Select _, Expr.Cast _ -> true;
      case Expr.Arg _, Expr.Const _, Expr.Index _, Expr.Extent _, Expr.At _ -> false;
    };
  }
}
