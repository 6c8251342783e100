package io.miniinference.interp.fast;

import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Window;
import java.util.List;
import java.util.stream.IntStream;

/// The first of three spatial axes, along which images are slices, each a plane. With one or two
/// axes an image is one slice.
///
/// @param in slices of the operand
/// @param out slices of the result
/// @param taps of the window along the axis
/// @param step elements from one slice of the operand to the next
/// @param transposed whether the taps are those of a transposed convolution
record Slices(
    int in, int out, int taps, int stride, int dilation, int pad, long step, boolean transposed) {
  private static final int AXIS = 2;
  private static final int RANK = 5;

  static Slices of(TensorView x, TensorView y, Window window, boolean transposed) {
    return areThere(x)
        ? new Slices(
            Math.toIntExact(x.dim(AXIS)),
            Math.toIntExact(y.dim(AXIS)),
            window.kernel().getFirst(),
            window.strides().getFirst(),
            window.dilations().getFirst(),
            window.padsBegin().getFirst(),
            x.strides().steps()[AXIS],
            transposed)
        : new Slices(1, 1, 1, 1, 1, 0, 0, transposed);
  }

  static boolean areThere(TensorView x) {
    return x.rank() == RANK;
  }

  /// The first slice of each channel, where there are several: a tensor without the axis.
  static TensorView first(TensorView x) {
    if (!areThere(x)) {
      return x;
    }
    Strides s = x.strides();
    int[] axes = IntStream.range(0, RANK).filter(axis -> axis != AXIS).toArray();
    return x.with(
        new Strides(
            s.base(),
            IntStream.of(axes).mapToLong(axis -> s.extents()[axis]).toArray(),
            IntStream.of(axes).mapToLong(axis -> s.steps()[axis]).toArray(),
            IntStream.of(axes).map(axis -> s.blocks()[axis]).toArray(),
            IntStream.of(axes).mapToLong(axis -> s.outer()[axis]).toArray()));
  }

  /// The window in a slice.
  static Window inside(Window window) {
    return window.rank() < RANK - AXIS
        ? window
        : new Window(
            rest(window.kernel()),
            rest(window.strides()),
            rest(window.dilations()),
            rest(window.padsBegin()),
            rest(window.padsEnd()));
  }

  private static List<Integer> rest(List<Integer> values) {
    return values.subList(1, values.size());
  }

  /// The slice of the operand that a tap sees from a slice of the result; −1 if that is padding.
  int seen(int output, int tap) {
    long shift = (long) tap * dilation - pad;
    if (!transposed) {
      long slice = (long) output * stride + shift;
      return slice < in ? (int) Math.max(slice, -1) : -1;
    }
    long reached = output - shift;
    return reached >= 0 && reached % stride == 0 && reached / stride < in
        ? (int) (reached / stride)
        : -1;
  }
}
