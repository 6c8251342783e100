package io.miniinference.codegen.gpu.tile;

import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.List;

/// One of three spatial axes of an image under a window; images of two axes are one pixel deep,
/// those of one axis one pixel high, too.
///
/// @param extent pixels of the image
/// @param step elements from one pixel to the next
record Spatial(int kernel, int stride, int dilation, int pad, long extent, long step) {
  private static final Spatial SINGLE = new Spatial(1, 1, 1, 0, 1, 0);

  /// @param fromLast 0 for the last axis, 1 for the one before it, 2 for the one before both
  static Spatial of(Window window, IndexFunction index, int fromLast) {
    int d = window.rank() - 1 - fromLast;
    if (d < 0) {
      return SINGLE;
    }
    Axis axis = index.axes().get(d + 2);
    return new Spatial(
        window.kernel().get(d),
        window.strides().get(d),
        window.dilations().get(d),
        window.padsBegin().get(d),
        axis.extent().asConstant(),
        axis.stride().asConstant());
  }

  /// Pixels of the result along an axis, 1 along those that it has not.
  ///
  /// @param output spatial extents of the result
  /// @param fromLast as above
  static long pixels(List<Affine> output, int fromLast) {
    int d = output.size() - 1 - fromLast;
    return d < 0 ? 1 : output.get(d).asConstant();
  }

  /// Pixels from the first tap to the last one.
  long reach() {
    return (long) (kernel - 1) * dilation;
  }
}
