package io.miniinference.interp.fast;

import io.miniinference.interp.expr.FloatLoops;
import io.miniinference.interp.memory.Scratch;
import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.OpKernel;
import io.miniinference.interp.plain.PlainMatMul;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import java.util.Arrays;

/// The matrix product in `F32`. Work items are rows of the result.
final class FastMatMul implements OpKernel {
  private static final int FEW_ROWS = 3;

  /* Columns of which the dot products are computed at once. */
  private static final int TOGETHER = 8;

  private final Op.MatMul op;
  private final RowSink.Factory sinks;
  private final OpKernel plain;

  FastMatMul(Op.MatMul op, Node node, OpKernel plain) {
    this.op = op;
    this.sinks = new RowSink.Factory(node);
    this.plain = plain;
  }

  @Override
  public void run(Task task) {
    long[] shape = task.output().shape();
    TensorView a = PlainMatMul.lead(PlainMatMul.swap(task.operand(0), op.transposeA()), shape);
    TensorView b = PlainMatMul.lead(PlainMatMul.swap(task.operand(1), op.transposeB()), shape);
    if (a.strides().isBlocked() || b.strides().isBlocked()) {
      plain.run(task);
      return;
    }
    Share share = new Share(a, b, sinks.bind(task), shape);
    long height = shape[shape.length - 2];
    long end = task.first() + task.count();
    for (long item = task.first(); item < end; ) {
      long count = Math.min(end - item, height - item % height);
      share.rows(item, Math.toIntExact(count));
      item += count;
    }
  }

  /// The state of one call.
  private static final class Share {
    private final TensorView a;
    private final TensorView b;
    private final RowSink sink;
    private final Scratch scratch = Scratch.get();
    private final PanelProduct product = new PanelProduct(scratch);
    private final boolean vectors = VectorForms.areInUse();
    private final float[][] together = new float[TOGETHER][];
    private final float[] dots = new float[TOGETHER];
    private final long[] shape;
    private final int rank;
    private final int depth;
    private final int width;
    private final long depthStepA;
    private final long rowStepA;
    private final long depthStepB;
    private final long columnStepB;

    Share(TensorView a, TensorView b, RowSink sink, long[] shape) {
      this.a = a;
      this.b = b;
      this.sink = sink;
      this.shape = shape;
      this.rank = shape.length;
      this.depth = Math.toIntExact(a.dim(rank - 1));
      this.width = Math.toIntExact(shape[rank - 1]);
      this.rowStepA = a.strides().steps()[rank - 2];
      this.depthStepA = a.strides().steps()[rank - 1];
      this.depthStepB = b.strides().steps()[rank - 2];
      this.columnStepB = b.strides().steps()[rank - 1];
    }

    /// Computes rows `item` to `item + count − 1` of the result, all of one matrix.
    void rows(long item, int count) {
      if (width == 0) {
        return;
      }
      long[] index = Strides.indexAt(item * width, shape);
      long atA = a.strides().offset(index);
      index[rank - 2] = 0;
      long atB = b.strides().offset(index);
      if (depthStepB == 1 && columnStepB != 1 && count <= FEW_ROWS) {
        dots(item, count, atA, atB);
        return;
      }
      if (vectors && VectorMatMul.suits(a, b)) {
        new VectorMatMul(a, b, sink, width).rows(item * width, count, atA, atB);
        return;
      }
      for (int column = 0; column < width; column += Scratch.COLUMNS) {
        int columns = Math.min(Scratch.COLUMNS, width - column);
        long first = item * width + column;
        long columnB = atB + column * columnStepB;
        product.multiply(
            count,
            depth,
            columns,
            (r, k, target, length) ->
                a.floats(atA + r * rowStepA + k * depthStepA, depthStepA, target, 0, length),
            (k, target, length) -> {
              for (int i = 0; i < length; i++) {
                b.floats(columnB + (k + i) * depthStepB, columnStepB, target[i], 0, columns);
              }
            },
            (r, values) -> sink.put(first + (long) r * width, values, columns));
      }
    }

    /* Few rows do not pay for turning the right operand: each element is a dot product along
    memory. */
    private void dots(long item, int count, long atA, long atB) {
      for (int column = 0; column < width; column += Scratch.COLUMNS) {
        int columns = Math.min(Scratch.COLUMNS, width - column);
        for (int r = 0; r < count; r++) {
          Arrays.fill(scratch.sums[r], 0, columns, 0);
        }
        for (int k = 0; k < depth; k += Scratch.COLUMNS) {
          int length = Math.min(Scratch.COLUMNS, depth - k);
          for (int r = 0; r < count; r++) {
            long from = atA + r * rowStepA + k * depthStepA;
            a.floats(from, depthStepA, scratch.panel[r], 0, length);
          }
          long from = atB + column * columnStepB + k;
          dots(count, columns, length, from);
        }
        for (int r = 0; r < count; r++) {
          sink.put((item + r) * width + column, scratch.sums[r], columns);
        }
      }
    }

    private void dots(int count, int columns, int length, long from) {
      for (int j = 0; j < columns; j += TOGETHER) {
        int width = Math.min(TOGETHER, columns - j);
        for (int i = 0; i < width; i++) {
          b.floats(from + (j + i) * columnStepB, 1, scratch.panel[FEW_ROWS + i], 0, length);
        }
        for (int i = 0; i < TOGETHER; i++) {
          together[i] = scratch.panel[FEW_ROWS + Math.min(i, width - 1)];
        }
        for (int r = 0; r < count; r++) {
          System.arraycopy(scratch.sums[r], j, dots, 0, width);
          FloatLoops.dots(dots, scratch.panel[r], together, length);
          System.arraycopy(dots, 0, scratch.sums[r], j, width);
        }
      }
    }
  }
}
