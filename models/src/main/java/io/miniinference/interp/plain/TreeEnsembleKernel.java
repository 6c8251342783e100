package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A tree ensemble: a work item is a row. Rows go through a tree a block at a time, so that the
/// tree stays in a cache and processors have several ways to go at once. Sums are rounded to the
/// type of the weights after each tree.
record TreeEnsembleKernel(Op.TreeEnsemble op) implements OpKernel {
  private static final int BLOCK = 16;

  @Override
  public void run(Task task) {
    Walk walk = new Walk(op, task);
    long end = task.first() + task.count();
    for (long row = task.first(); row < end; row += BLOCK) {
      walk.rows(row, (int) Math.min(BLOCK, end - row));
    }
  }

  /// The way of a block of rows through all trees.
  private static final class Walk {
    private static final ValueLayout.OfInt INT =
        ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Op.TreeEnsemble op;
    private final TensorView x;
    private final TensorView y;
    private final TensorView roots;
    private final TensorView targets;
    private final TensorView weights;
    private final MemorySegment memory;
    private final long firstNode;
    private final long nodeBytes;
    private final long wordBytes;
    private final boolean isWide;
    private final int[] at = new int[BLOCK];
    private final long[] starts = new long[BLOCK];

    Walk(Op.TreeEnsemble op, Task task) {
      this.op = op;
      x = task.operand(0);
      y = task.output();
      roots = task.operand(Op.TreeEnsemble.ROOTS);
      targets = task.operand(Op.TreeEnsemble.TARGETS);
      weights = task.operand(Op.TreeEnsemble.WEIGHTS);
      TensorView nodes = task.operand(Op.TreeEnsemble.NODES);
      memory = nodes.memory();
      firstNode = nodes.byteAt(nodes.offset(0, 0));
      nodeBytes = nodes.strides().steps()[0] * Integer.BYTES;
      wordBytes = nodes.strides().steps()[1] * Integer.BYTES;
      isWide = x.element() == ElementType.F64;
    }

    void rows(long first, int count) {
      for (int k = 0; k < count; k++) {
        starts[k] = x.offset(first + k, 0);
        fill(first + k);
      }
      for (long tree = 0; tree < roots.dim(0); tree++) {
        descend((int) roots.wholeAt(roots.offset(tree)), count);
        for (int k = 0; k < count; k++) {
          combine(first + k, word(at[k], 1), word(at[k], 2));
        }
      }
      for (int k = 0; op.combination() != Op.TreeEnsemble.Combination.SUM && k < count; k++) {
        clearUnnamed(first + k);
      }
    }

    private int word(int node, int word) {
      return memory.get(INT, firstNode + node * nodeBytes + word * wordBytes);
    }

    private void descend(int root, int count) {
      Arrays.fill(at, 0, count, root);
      boolean open = true;
      for (int level = 0; level < op.depth() && open; level++) {
        open = false;
        for (int k = 0; k < count; k++) {
          int head = word(at[k], 0);
          if ((head & Op.TreeEnsemble.LEAF) == 0) {
            at[k] = word(at[k], 1) + (isTrue(at[k], head, starts[k]) ? 0 : 1);
            open = true;
          }
        }
      }
    }

    private boolean isTrue(int node, int head, long start) {
      long offset = start + x.strides().along(1, head >> Op.TreeEnsemble.FEATURE_SHIFT);
      double value = isWide ? x.realAt(offset) : x.floatAt(offset);
      double threshold = isWide ? wide(node) : Float.intBitsToFloat(word(node, 2));
      return value <= threshold
          || (value != value && (head & Op.TreeEnsemble.NAN_IS_TRUE) != 0);
    }

    private double wide(int node) {
      return Double.longBitsToDouble((long) word(node, 3) << 32 | word(node, 2) & 0xFFFF_FFFFL);
    }

    private void fill(long row) {
      for (long output = 0; output < op.outputs(); output++) {
        y.realAt(y.offset(row, output), op.combination().neutral());
      }
    }

    private void combine(long row, long firstEntry, int count) {
      for (long entry = firstEntry; entry < firstEntry + count; entry++) {
        long to = y.offset(row, targets.wholeAt(targets.offset(entry)));
        y.realAt(to, combined(y.realAt(to), weights.realAt(weights.offset(entry))));
      }
    }

    private double combined(double there, double weight) {
      return switch (op.combination()) {
        case SUM -> there + weight;
        case MIN -> weight < there ? weight : there;
        case MAX -> weight > there ? weight : there;
      };
    }

    private void clearUnnamed(long row) {
      for (long output = 0; output < op.outputs(); output++) {
        long offset = y.offset(row, output);
        if (y.realAt(offset) == op.combination().neutral()) {
          y.realAt(offset, 0);
        }
      }
    }
  }
}
