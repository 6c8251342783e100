package io.miniinference.interp.fast;

import io.miniinference.interp.fast.Plane.Patch;
import io.miniinference.interp.memory.Scratch;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.OpKernel;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Window;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Convolution and transposed convolution in `F32`, as a product of the weights with what each tap
/// sees. Work items are channels of the result; those of one image and group share their taps.
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
    Optional<ConvWeights> weights = transposed ? ConvWeights.turned(w) : ConvWeights.of(w);
    if (!Plane.suits(Slices.first(x)) || weights.isEmpty()) {
      plain.run(task);
    } else if (Slices.areThere(x) || !VectorForms.areInUse() || !vectors(task, weights.get())) {
      Share share = new Share(task, weights.get());
      share.of.forEach(task, share::planes);
    }
  }

  private boolean vectors(Task task, ConvWeights weights) {
    boolean lanesOfChannels =
        transposed
            ? VectorSpread.run(task, window, groups, sinks)
            : VectorChannels.run(task, window, groups, weights, sinks);
    return lanesOfChannels || VectorConv.run(task, window, groups, weights, transposed, sinks);
  }

  /// The state of one call.
  private final class Share {
    private final TensorView w;
    private final ConvWeights weights;
    private final Slices slices;
    private final Plane plane;
    private final RowSink sink;
    private final PanelProduct product = new PanelProduct(Scratch.get());
    private final ConvGroups of;
    private final int height;
    private final int width;
    private final List<Patch> patches;

    Share(Task task, ConvWeights weights) {
      this.weights = weights;
      TensorView x = task.operand(0);
      TensorView y = task.output();
      w = task.operand(1);
      slices = Slices.of(x, y, window, transposed);
      plane = new Plane(Slices.first(x), Slices.inside(window), transposed);
      sink = sinks.bind(task);
      of = ConvGroups.of(task, groups);
      height = y.rank() == 3 ? 1 : Math.toIntExact(y.dim(y.rank() - 2));
      width = Math.toIntExact(y.dim(y.rank() - 1));
      patches = Patch.of(height, width);
    }

    void planes(long n, long m, int count) {
      for (int slice = 0; slice < slices.out(); slice++) {
        for (Patch patch : patches) {
          patch(n, m, count, slice, patch);
        }
      }
    }

    private void patch(long n, long m, int count, int slice, Patch patch) {
      int columns = patch.elements();
      long firstInput = of.firstInput(m);
      long channel = (long) slices.out() * height * width;
      long first = (n * of.channels() + m) * channel;
      long plane0 = first + ((long) slice * height + patch.row()) * width + patch.column();
      product.multiply(
          count,
          Math.toIntExact(of.depth()),
          columns,
          (r, k, target, length) -> weights(m + r, k, target, length),
          (k, target, length) -> {
            for (int i = 0; i < length; i++) {
              long c = firstInput + (k + i) / of.taps();
              read(plane.at(n, c), slice, (k + i) % of.taps(), patch, target[i]);
            }
          },
          (r, values) -> sink.put(plane0 + r * channel, values, columns));
    }

    private void read(long channel, int output, int tap, Patch patch, float[] target) {
      int slice = slices.along().seen(output, tap / plane.taps());
      if (slice < 0) {
        Arrays.fill(target, 0, patch.elements(), 0);
      } else {
        plane.read(channel + slice * slices.step(), tap % plane.taps(), patch, 0, target);
      }
    }

    private void weights(long m, int k, float[] target, int length) {
      if (!transposed) {
        w.floats(weights.at(m, k), weights.depth(), target, 0, length);
        return;
      }
      for (int i = 0; i < length; i++) {
        long first = of.transposedWeight(w, m, (k + i) / of.taps());
        target[i] = w.floatAt(first + (k + i) % of.taps() * weights.depth());
      }
    }
  }
}
