package io.miniinference.interp.fast;

import io.miniinference.interp.expr.FloatLoops;
import io.miniinference.interp.fast.Plane.Patch;
import io.miniinference.interp.memory.Scratch;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.OpKernel;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Window;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Pooling in `F32`. Work items are planes.
final class FastWindow implements OpKernel {
  private final Op.WindowReduce op;
  private final RowSink.Factory sinks;
  private final OpKernel plain;

  FastWindow(Op.WindowReduce op, Node node, OpKernel plain) {
    this.op = op;
    this.sinks = new RowSink.Factory(node);
    this.plain = plain;
  }

  @Override
  public void run(Task task) {
    if (!Plane.suits(task.operand(0))) {
      plain.run(task);
      return;
    }
    Share share = new Share(task);
    for (long item = task.first(); item < task.first() + task.count(); item++) {
      share.plane(item);
    }
  }

  /// How many taps count at each output position of an axis.
  private static int[] counts(Window window, int axis, long input, int output, boolean padding) {
    int before = padding ? window.padsBegin().get(axis) : 0;
    long end = input + (padding ? window.padsEnd().get(axis) : 0);
    int[] counts = new int[output];
    for (int o = 0; o < output; o++) {
      for (int k = 0; k < window.kernel().get(axis); k++) {
        long at =
            (long) o * window.strides().get(axis)
                - window.padsBegin().get(axis)
                + (long) k * window.dilations().get(axis);
        counts[o] += at >= -before && at < end ? 1 : 0;
      }
    }
    return counts;
  }

  /// The state of one call.
  private final class Share {
    private final Plane plane;
    private final RowSink sink;
    private final Scratch scratch = Scratch.get();
    private final long channels;
    private final int height;
    private final int width;
    private final List<Patch> patches;
    private final MaxPatch maxima;
    private final @Nullable VectorWindow vectors;
    private int[] high = {};
    private int[] wide = {};

    Share(Task task) {
      TensorView x = task.operand(0);
      TensorView y = task.output();
      plane = new Plane(x, op.window(), false);
      sink = sinks.bind(task);
      channels = y.dim(1);
      height = y.rank() == 3 ? 1 : Math.toIntExact(y.dim(2));
      width = Math.toIntExact(y.dim(y.rank() - 1));
      patches = Patch.of(height, width);
      maxima = new MaxPatch(plane);
      vectors = vectors(x);
      boolean padding = op.kind() == PoolKind.AVERAGE_WITH_PADDING;
      if (padding || op.kind() == PoolKind.AVERAGE) {
        int last = op.window().rank() - 1;
        wide = counts(op.window(), last, x.dim(2 + last), width, padding);
        high = last == 0 ? new int[] {1} : counts(op.window(), 0, x.dim(2), height, padding);
      }
    }

    void plane(long item) {
      for (Patch patch : patches) {
        patch(item, patch);
      }
    }

    private @Nullable VectorWindow vectors(TensorView x) {
      int rows = patches.isEmpty() ? 0 : patches.getFirst().rows();
      boolean areWhole = width <= Scratch.COLUMNS;
      if (rows == 0 || !areWhole || !VectorWindow.suits(x, op.window(), width, rows)) {
        return null;
      }
      return op.kind() == PoolKind.MAX
          ? VectorWindow.maxima(x, op.window(), width, rows)
          : VectorWindow.sums(x, op.window(), width, rows);
    }

    private void patch(long item, Patch patch) {
      if (vectors != null) {
        patch(vectors, item, patch);
        return;
      }
      boolean max = op.kind() == PoolKind.MAX;
      if (max && MaxPatch.suits(plane, width)) {
        maxima.read(plane.at(item / channels, item % channels), patch, scratch.sums[0]);
        sink.put((item * height + patch.row()) * width, scratch.sums[0], patch.elements());
        return;
      }
      float neutral = max ? Float.NEGATIVE_INFINITY : 0;
      float[] sum = scratch.sums[0];
      float[] seen = scratch.panel[0];
      int columns = patch.elements();
      Arrays.fill(sum, 0, columns, neutral);
      for (int tap = 0; tap < plane.taps(); tap++) {
        plane.read(plane.at(item / channels, item % channels), tap, patch, neutral, seen);
        if (max) {
          FloatLoops.max(sum, sum, seen, columns);
        } else {
          FloatLoops.add(sum, sum, seen, columns);
        }
      }
      divide(sum, patch);
      sink.put((item * height + patch.row()) * width + patch.column(), sum, columns);
    }

    private void patch(VectorWindow vectors, long item, Patch patch) {
      long at = plane.at(item / channels, item % channels);
      float[] result = scratch.sums[0];
      if (op.kind() == PoolKind.MAX) {
        vectors.max(at, patch, result);
      } else {
        vectors.sum(at, patch, result);
        divide(result, patch);
      }
      sink.put((item * height + patch.row()) * width, result, patch.elements());
    }

    private void divide(float[] sum, Patch patch) {
      if (wide.length == 0) {
        return;
      }
      for (int i = 0; i < patch.rows(); i++) {
        for (int j = 0; j < patch.columns(); j++) {
          int taps = high[patch.row() + i] * wide[patch.column() + j];
          sum[i * patch.columns() + j] /= taps;
        }
      }
    }
  }
}
