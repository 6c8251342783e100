package io.miniinference.interp;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.stream.IntStream;

/// Roughly how long work takes on one core, for dividing it between threads and for bounding what a
/// load folds.
final class Cost {
  private static final double MULTIPLY_ADD = 0.1;
  private static final double FAST_ELEMENT = 1;
  private static final double PLAIN_ELEMENT = 20;
  private static final double LINE_ELEMENT = 10;
  private static final double CANDIDATE = 100;
  private static final double OVERLAP = 2;
  private static final double BRANCH = 3;

  /// Few ways through a deep tree are as long as its longest one.
  private static final double USUAL_DEPTH = 12;

  private Cost() {}

  /// Nanoseconds for a whole node at batch size `n`, of which it is counted how many items there
  /// are; infinite where a size is beyond all numbers.
  static double nanos(Node node, long n) {
    double items = 1;
    for (Affine dim : NodeKernel.itemShape(node)) {
      items *= dim.constant() + (double) dim.perBatch() * n;
    }
    return items * nanosPerItem(node);
  }

  /// Nanoseconds for one of [NodeKernel#items] at batch size 1.
  static double nanosPerItem(Node node) {
    TensorType output = node.outputs().getFirst().type();
    double each = output.element() == ElementType.F32 ? FAST_ELEMENT : PLAIN_ELEMENT;
    return switch (node.op()) {
      case Op.Elementwise _ -> each;
      case Op.View _, Op.Concat _, Op.Gather _ -> FAST_ELEMENT;
      case Op.Scatter s -> PLAIN_ELEMENT * updatesPerItem(node, s);
      case Op.Reduce r -> each * product(first(node), r.axes());
      case Op.MatMul m ->
          extent(output, output.rank() - 1)
              * (MULTIPLY_ADD * extent(first(node), first(node).rank() - (m.transposeA() ? 2 : 1))
                  + each);
      case Op.Attention a -> attention(node, a);
      case Op.Conv c ->
          plane(output) * (MULTIPLY_ADD * taps(c.window()) * channels(node) / c.groups() + each);
      case Op.ConvTranspose c ->
          plane(output) * (MULTIPLY_ADD * taps(c.window()) * channels(node) / c.groups() + each);
      case Op.WindowReduce w -> plane(output) * taps(w.window()) * each;
      case Op.Recurrent _ -> recurrent(node);
      case Op.NonMaxSuppression boxes -> nonMaxSuppression(node, boxes);
      case TreeEnsemble trees -> trees(node, trees);
      case Op.RowOp rows -> LINE_ELEMENT * product(first(node), rows.rowAxes());
      case Op.Control _ -> each;
    };
  }

  /* All steps of a row. */
  private static double recurrent(Node node) {
    TensorType inputs = first(node);
    double hidden = extent(node.outputs().getFirst().type(), 2);
    return extent(inputs, 0) * extent(inputs, 2) * (MULTIPLY_ADD * hidden + PLAIN_ELEMENT);
  }

  /* Each box is held against all that are kept, if it overlaps none of them. */
  private static double nonMaxSuppression(Node node, Op.NonMaxSuppression op) {
    double boxes = product(first(node), op.rowAxes());
    return boxes * (CANDIDATE + OVERLAP * Math.min(op.k(), boxes));
  }

  /* The way of a row through each tree, of which one may be as long as the longest, what the leaves
  that it comes to say, and its results. */
  private static double trees(Node node, TreeEnsemble op) {
    double trees = extent(node.inputs().get(TreeEnsemble.ROOTS).type(), 0);
    double nodes = extent(node.inputs().get(TreeEnsemble.NODES).type(), 0);
    double entries = extent(node.inputs().get(TreeEnsemble.TARGETS).type(), 0);
    double usual = trees * Math.min(op.depth() + 1, USUAL_DEPTH) + op.depth();
    double walks = Math.max(trees, Math.min(usual, nodes));
    double leaves = Math.max(1, nodes / 2);
    double said = trees * Math.max(1, entries / leaves);
    return BRANCH * (walks + said) + FAST_ELEMENT * op.outputs();
  }

  private static double attention(Node node, Op.Attention op) {
    TensorType keys = node.inputs().get(1).type();
    double count = extent(keys, keys.rank() - (op.rowsOfKeys() ? 2 : 1));
    TensorType output = node.output().type();
    double depth = extent(first(node), first(node).rank() - 1);
    return count * (LINE_ELEMENT + FAST_ELEMENT * (depth + extent(output, output.rank() - 1)));
  }

  private static double updatesPerItem(Node node, Op.Scatter op) {
    TensorType updates = node.inputs().get(2).type();
    Addressing addressing = Addressing.of(op.selection(), first(node), node.inputs().get(1).type());
    return product(
        updates,
        IntStream.range(0, updates.rank()).filter(a -> !addressing.isKept(a)).boxed().toList());
  }

  private static TensorType first(Node node) {
    return node.inputs().getFirst().type();
  }

  private static double extent(TensorType type, int axis) {
    Affine dim = type.dim(axis);
    return dim.constant() + dim.perBatch();
  }

  private static double product(TensorType type, List<Integer> axes) {
    return axes.stream().mapToDouble(a -> extent(type, a)).reduce(1, (a, b) -> a * b);
  }

  private static double channels(Node node) {
    return extent(first(node), 1);
  }

  private static double taps(Window window) {
    return window.kernel().stream().mapToDouble(k -> k).reduce(1, (a, b) -> a * b);
  }

  private static double plane(TensorType output) {
    double plane = 1;
    for (int axis = 2; axis < output.rank(); axis++) {
      plane *= extent(output, axis);
    }
    return plane;
  }
}
