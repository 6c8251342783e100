package io.miniinference.interp.fast;

import io.miniinference.interp.fast.Plane.Patch;
import io.miniinference.interp.memory.Scratch;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.OpKernel;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Window;
import java.util.List;

/// Convolution and transposed convolution in `F32`, as a product of the weights with what each tap
/// sees. Work items are planes of the result; those of one image and group share their taps.
final class FastConv implements OpKernel {
  private final Window window;
  private final int groups;
  private final boolean transposed;
  private final RowSink.Factory sinks;
  private final OpKernel plain;

  private FastConv(Window window, int groups, boolean transposed, Node node, OpKernel plain) {
    this.window = window;
    this.groups = groups;
    this.transposed = transposed;
    this.sinks = new RowSink.Factory(node);
    this.plain = plain;
  }

  static OpKernel forward(Op.Conv op, Node node, OpKernel plain) {
    return new FastConv(op.window(), op.groups(), false, node, plain);
  }

  static OpKernel transposed(Op.ConvTranspose op, Node node, OpKernel plain) {
    return new FastConv(op.window(), op.groups(), true, node, plain);
  }

  @Override
  public void run(Task task) {
    TensorView x = task.operand(0);
    TensorView w = task.operand(1);
    TensorView y = task.output();
    if (!Plane.suits(x) || !suits(w)) {
      plain.run(task);
      return;
    }
    if (VectorForms.areInUse() && VectorConv.run(task, window, groups, transposed, sinks)) {
      return;
    }
    Share share = new Share(task);
    long channels = y.dim(1);
    long perGroup = channels / groups;
    long end = task.first() + task.count();
    for (long item = task.first(); item < end; ) {
      long m = item % channels;
      long count = Math.min(end - item, perGroup - m % perGroup);
      share.planes(item / channels, m, Math.toIntExact(count));
      item += count;
    }
  }

  /* A transposed convolution may have its weights in the order of either channels. */
  private boolean suits(TensorView w) {
    long[] steps = w.strides().steps();
    long step = 1;
    for (int axis = steps.length - 1; axis >= 2; axis--) {
      if (w.dim(axis) != 1 && steps[axis] != step) {
        return false;
      }
      step *= w.dim(axis);
    }
    return transposed ? !w.strides().isBlocked() : w.isDense();
  }

  /// The state of one call.
  private final class Share {
    private final TensorView w;
    private final Plane plane;
    private final RowSink sink;
    private final PanelProduct product = new PanelProduct(Scratch.get());
    private final int channels;
    private final int height;
    private final int width;
    private final int inputsPerGroup;
    private final int outputsPerGroup;
    private final int taps;
    private final List<Patch> patches;

    Share(Task task) {
      TensorView x = task.operand(0);
      TensorView y = task.output();
      w = task.operand(1);
      plane = new Plane(x, window, transposed);
      sink = sinks.bind(task);
      channels = Math.toIntExact(y.dim(1));
      height = y.rank() == 3 ? 1 : Math.toIntExact(y.dim(2));
      width = Math.toIntExact(y.dim(y.rank() - 1));
      inputsPerGroup = Math.toIntExact(x.dim(1) / groups);
      outputsPerGroup = channels / groups;
      taps = plane.taps();
      patches = Patch.of(height, width);
    }

    /// Computes planes `m` to `m + count − 1` of image `n`, all of one group.
    void planes(long n, long m, int count) {
      for (Patch patch : patches) {
        patch(n, m, count, patch);
      }
    }

    private void patch(long n, long m, int count, Patch patch) {
      int columns = patch.elements();
      long firstInput = m / outputsPerGroup * inputsPerGroup;
      long plane0 = ((n * channels + m) * height + patch.row()) * width + patch.column();
      product.multiply(
          count,
          inputsPerGroup * taps,
          columns,
          (r, k, target, length) -> weights(m + r, k, target, length),
          (k, target, length) -> {
            for (int i = 0; i < length; i++) {
              long c = firstInput + (k + i) / taps;
              plane.read(plane.at(n, c), (k + i) % taps, patch, 0, target[i]);
            }
          },
          (r, values) -> sink.put(plane0 + (long) r * height * width, values, columns));
    }

    private void weights(long m, int k, float[] target, int length) {
      long base = w.strides().base();
      long depth = (long) inputsPerGroup * taps;
      if (!transposed) {
        w.floats(base + m * depth + k, 1, target, 0, length);
        return;
      }
      long group = m / outputsPerGroup;
      for (int i = 0; i < length; i++) {
        long c = group * inputsPerGroup + (k + i) / taps;
        long row = c * w.strides().steps()[0] + m % outputsPerGroup * w.strides().steps()[1];
        target[i] = w.floatAt(base + row + (k + i) % taps);
      }
    }
  }
}
