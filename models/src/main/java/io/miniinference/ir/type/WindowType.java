package io.miniinference.ir.type;

import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.List;

/// The type of what walks a [Window] over spatial axes. What does not fit is an
/// [IllegalArgumentException] with the reason, to which [OpType] adds operator and operands.
final class WindowType {
  private WindowType() {}

  /// `⌊(D + pads − span) / stride⌋ + 1` along each axis; with `ceil` rounded up, less the window
  /// that would start in the padding at the end
  /// (<https://onnx.ai/onnx/operators/onnx__MaxPool.html>).
  static TensorType forward(TensorType x, Affine channels, Window window, boolean ceil) {
    check(window);
    List<Affine> shape = OpType.replaced(x.shape(), 1, channels);
    for (int axis = 0; axis < window.rank(); axis++) {
      long extent = spatial(x, axis);
      shape.set(axis + 2, Affine.of(extent == 0 ? 0 : forward(extent, window, axis, ceil)));
    }
    return x.withShape(shape);
  }

  private static long forward(long extent, Window window, int axis, boolean ceil) {
    long begin = window.padsBegin().get(axis);
    long stride = window.strides().get(axis);
    long span = span(window, axis);
    long room = Math.addExact(extent, begin + window.padsEnd().get(axis)) - span;
    long result = (ceil ? Math.ceilDiv(room, stride) : Math.floorDiv(room, stride)) + 1;
    if (ceil && Math.multiplyExact(result - 1, stride) >= extent + begin) {
      result--;
    }
    require(
        result > 0,
        "a window of "
            + span
            + " does not fit spatial axis "
            + axis
            + " of "
            + (room + span)
            + " padded");
    return result;
  }

  /// `(D − 1)·stride + span − pads + outputPad` along each axis.
  static TensorType transposed(
      TensorType x, Affine channels, Window window, List<Integer> outputPads) {
    check(window);
    require(outputPads.size() == window.rank(), "output pads " + outputPads + " miss axes");
    List<Affine> shape = OpType.replaced(x.shape(), 1, channels);
    for (int axis = 0; axis < window.rank(); axis++) {
      long pads = (long) window.padsBegin().get(axis) + window.padsEnd().get(axis);
      long steps = Math.multiplyExact(spatial(x, axis) - 1, (long) window.strides().get(axis));
      long extent = Math.addExact(steps, span(window, axis) - pads + outputPads.get(axis));
      require(outputPads.get(axis) >= 0, "output pads " + outputPads + " are negative");
      require(extent >= 0, "spatial axis " + axis + " would have extent " + extent);
      shape.set(axis + 2, Affine.of(extent));
    }
    return x.withShape(shape);
  }

  private static long spatial(TensorType x, int axis) {
    Affine extent = x.dim(axis + 2);
    require(extent.isConstant(), "spatial axis " + axis + " depends on the batch");
    return extent.constant();
  }

  /* In 64 bits: kernel and dilation come from a file. */
  private static long span(Window window, int axis) {
    return (window.kernel().get(axis) - 1L) * window.dilations().get(axis) + 1;
  }

  private static void check(Window window) {
    positive("kernel", window.kernel(), window.rank());
    positive("strides", window.strides(), window.rank());
    positive("dilations", window.dilations(), window.rank());
    atLeast("padsBegin", window.padsBegin(), window.rank(), 0);
    atLeast("padsEnd", window.padsEnd(), window.rank(), 0);
    for (int axis = 0; axis < window.rank(); axis++) {
      require(span(window, axis) <= Integer.MAX_VALUE, "window of " + span(window, axis));
    }
  }

  private static void positive(String what, List<Integer> values, int rank) {
    atLeast(what, values, rank, 1);
  }

  private static void atLeast(String what, List<Integer> values, int rank, int least) {
    require(
        values.size() == rank && values.stream().allMatch(v -> v >= least),
        what + " " + values + " must be " + rank + " numbers of at least " + least);
  }

  private static void require(boolean ok, String reason) {
    if (!ok) {
      throw new IllegalArgumentException(reason);
    }
  }
}
