package io.miniinference.codegen.cpu.lanes;

import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.stream.IntStream;

/// The last two spatial axes of a convolution as rows of pixels ([Depth] is a third one). One
/// spatial axis is a single row; a convolution that is pointwise in the plane, from one dense plane
/// to another, is one row of all its pixels.
public record Plane(
    int inHeight,
    int inWidth,
    int outHeight,
    int outWidth,
    int kernelHeight,
    int kernelWidth,
    int strideY,
    int strideX,
    int padY,
    int padX,
    int dilationY,
    int dilationX,
    long rowStride,
    int pixelStride) {

  /// The rows of a convolution's operand and result.
  ///
  /// @param index how the operand lies
  /// @param flatOutput whether rows of the result, and of what is added to it, follow each other
  ///   without gaps
  public static Plane of(
      Window w, TensorType input, TensorType output, IndexFunction index, boolean flatOutput) {
    int x = w.rank() - 1;
    int inWidth = size(input, 2 + x);
    int outWidth = size(output, 2 + x);
    int pixelStride = Math.toIntExact(index.axes().get(2 + x).stride().asConstant());
    if (w.rank() == 1) {
      return new Plane(
          1,
          inWidth,
          1,
          outWidth,
          1,
          w.kernel().get(0),
          1,
          w.strides().get(0),
          0,
          w.padsBegin().get(0),
          1,
          w.dilations().get(0),
          0,
          pixelStride);
    }
    int y = x - 1;
    long rowStride = index.axes().get(2 + y).stride().asConstant();
    int inHeight = size(input, 2 + y);
    if (flatOutput && isPointwise(w, y) && rowStride == (long) pixelStride * inWidth) {
      int pixels = inHeight * inWidth;
      return new Plane(1, pixels, 1, pixels, 1, 1, 1, 1, 0, 0, 1, 1, 0, pixelStride);
    }
    return new Plane(
        inHeight,
        inWidth,
        size(output, 2 + y),
        outWidth,
        w.kernel().get(y),
        w.kernel().get(x),
        w.strides().get(y),
        w.strides().get(x),
        w.padsBegin().get(y),
        w.padsBegin().get(x),
        w.dilations().get(y),
        w.dilations().get(x),
        rowStride,
        pixelStride);
  }

  /* Along spatial axis `first` and all after it. */
  private static boolean isPointwise(Window w, int first) {
    return IntStream.range(first, w.rank())
        .allMatch(d ->
            w.kernel().get(d) == 1
                && w.strides().get(d) == 1
                && w.padsBegin().get(d) == 0
                && w.padsEnd().get(d) == 0);
  }

  private static int size(TensorType type, int axis) {
    Affine dim = type.dim(axis);
    return Math.toIntExact(dim.asConstant());
  }
}
