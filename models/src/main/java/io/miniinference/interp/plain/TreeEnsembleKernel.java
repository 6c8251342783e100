package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.ir.TreeEnsemble.Combination;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A tree ensemble: a work item is a row. Rows go through a tree a block at a time, so that the
/// tree stays in a cache and processors have several ways to go at once. Sums are rounded to the
/// type of the weights after each entry. Sums of a block are combined in an array of the heap;
/// where one row has more than that is for, in the result itself.
record TreeEnsembleKernel(TreeEnsemble op) implements OpKernel {
  private static final int MOST_ROWS = 16;

  /// Most sums of a block that are combined outside of the result.
  private static final long MOST_SUMS = 1 << 14;

  @Override
  public void run(Task task) {
    int block = (int) Math.clamp(MOST_SUMS / op.outputs(), 1, MOST_ROWS);
    Walk walk = new Walk(op, task, block);
    long end = task.first() + task.count();
    for (long row = task.first(); row < end; row += block) {
      walk.rows(row, (int) Math.min(block, end - row));
    }
  }

  /// The way of a block of rows through all trees.
  private static final class Walk {
    private static final ValueLayout.OfInt INT =
        ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final TreeEnsemble op;
    private final int outputs;
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
    private final int[] at;
    private final long[] starts;
    private final boolean isInPlace;
    private final double[] sums;

    Walk(TreeEnsemble op, Task task, int block) {
      this.op = op;
      outputs = Math.toIntExact(op.outputs());
      x = task.operand(0);
      y = task.output();
      roots = task.operand(TreeEnsemble.ROOTS);
      targets = task.operand(TreeEnsemble.TARGETS);
      weights = task.operand(TreeEnsemble.WEIGHTS);
      TensorView nodes = task.operand(TreeEnsemble.NODES);
      memory = nodes.memory();
      firstNode = nodes.byteAt(nodes.offset(0, 0));
      nodeBytes = nodes.strides().steps()[0] * Integer.BYTES;
      wordBytes = nodes.strides().steps()[1] * Integer.BYTES;
      isWide = x.element() == ElementType.F64;
      at = new int[block];
      starts = new long[block];
      isInPlace = op.outputs() > MOST_SUMS;
      sums = new double[isInPlace ? 0 : block * outputs];
    }

    void rows(long first, int count) {
      clear(first);
      for (int k = 0; k < count; k++) {
        starts[k] = x.offset(first + k, 0);
      }
      long trees = roots.dim(0);
      for (long tree = 0; tree < trees; tree++) {
        int root = (int) roots.wholeAt(roots.offset(tree));
        if (count == 1) {
          at[0] = leaf(root);
        } else {
          Arrays.fill(at, root);
          descend(count);
        }
        combine(first, count);
      }
      for (int k = 0; k < count; k++) {
        store(first + k, k * outputs);
      }
    }

    /* In place a block has one row. */
    private void clear(long row) {
      double neutral = op.combination().neutral();
      Arrays.fill(sums, neutral);
      for (int output = 0; isInPlace && output < outputs; output++) {
        y.realAt(y.offset(row, output), neutral);
      }
    }

    private int word(int node, int word) {
      return memory.get(INT, firstNode + node * nodeBytes + word * wordBytes);
    }

    /* Of a single row: there is nothing to do beside it. */
    private int leaf(int root) {
      int node = root;
      for (int level = 0; level < op.depth(); level++) {
        int head = word(node, 0);
        if ((head & TreeEnsemble.LEAF) != 0) {
          break;
        }
        node = word(node, 1) + (isTrue(node, head, starts[0]) ? 0 : 1);
      }
      return node;
    }

    private void descend(int count) {
      int shut = 0;
      for (int level = 0; level < op.depth() && shut == 0; level++) {
        shut = TreeEnsemble.LEAF;
        for (int k = 0; k < count; k++) {
          int node = at[k];
          int head = word(node, 0);
          int next = word(node, 1) + 1 - (isTrue(node, head, starts[k]) ? 1 : 0);
          at[k] = (head & TreeEnsemble.LEAF) == 0 ? next : node;
          shut &= head;
        }
      }
    }

    private boolean isTrue(int node, int head, long start) {
      long offset = start + x.strides().along(1, head >>> TreeEnsemble.FEATURE_SHIFT);
      double value = isWide ? x.realAt(offset) : x.floatAt(offset);
      double threshold = isWide ? wide(node) : Float.intBitsToFloat(word(node, 2));
      return value <= threshold | (Double.isNaN(value) & (head & TreeEnsemble.NAN_IS_TRUE) != 0);
    }

    private double wide(int node) {
      return Double.longBitsToDouble((long) word(node, 3) << 32 | word(node, 2) & 0xFFFF_FFFFL);
    }

    private void combine(long row, int count) {
      for (int k = 0; k < count; k++) {
        long first = word(at[k], 1);
        long behind = first + word(at[k], 2);
        for (long entry = first; entry < behind; entry++) {
          int output = (int) targets.wholeAt(targets.offset(entry));
          double weight = weight(weights.offset(entry));
          if (isInPlace) {
            long there = y.offset(row, output);
            y.realAt(there, combined(y.realAt(there), weight));
          } else {
            int sum = k * outputs + output;
            sums[sum] = combined(sums[sum], weight);
          }
        }
      }
    }

    private double weight(long offset) {
      return isWide ? weights.realAt(offset) : weights.floatAt(offset);
    }

    private double combined(double there, double weight) {
      return switch (op.combination()) {
        case SUM -> isWide ? there + weight : (float) (there + weight);
        case MIN -> weight < there ? weight : there;
        case MAX -> weight > there ? weight : there;
      };
    }

    /* What no entry named is 0. */
    private void store(long row, int first) {
      boolean isSum = op.combination() == Combination.SUM;
      for (int output = 0; output < outputs; output++) {
        double sum = isInPlace ? y.realAt(y.offset(row, output)) : sums[first + output];
        boolean none = !isSum && sum == op.combination().neutral();
        y.realAt(y.offset(row, output), none ? 0 : sum);
      }
    }
  }
}
