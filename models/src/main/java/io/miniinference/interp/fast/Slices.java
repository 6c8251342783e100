package io.miniinference.interp.fast;

import io.miniinference.interp.fast.Plane.Along;
import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Window;
import java.util.List;
import java.util.stream.IntStream;

/// The first of three spatial axes, along which images are slices, each a plane. With one or two
/// axes an image is one slice.
///
/// @param along how taps see the operand's slices
/// @param out slices of the result
/// @param step elements from one slice of the operand to the next
record Slices(Along along, int out, long step) {
  private static final int AXIS = 2;
  private static final int RANK = 5;

  static Slices of(TensorView x, TensorView y, Window window, boolean transposed) {
    if (!areThere(x)) {
      return new Slices(new Along(1, 1, 1, 0, transposed), 1, 0);
    }
    Along along =
        new Along(
            Math.toIntExact(x.dim(AXIS)),
            window.strides().getFirst(),
            window.dilations().getFirst(),
            window.padsBegin().getFirst(),
            transposed);
    return new Slices(along, Math.toIntExact(y.dim(AXIS)), x.strides().steps()[AXIS]);
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
}
