package io.miniinference.codegen.cpu;

import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;

/// The spatial part of a convolution as rows of pixels. One spatial axis is a single row; a
/// pointwise convolution from one dense plane to another is one row of all its pixels.
record Plane(
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

  static Plane of(
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
    Axis y = index.axes().get(2);
    long rowStride = y.stride().asConstant();
    int inHeight = size(input, 2);
    if (flatOutput && isPointwise(w) && rowStride == (long) pixelStride * inWidth) {
      int pixels = inHeight * inWidth;
      return new Plane(1, pixels, 1, pixels, 1, 1, 1, 1, 0, 0, 1, 1, 0, pixelStride);
    }
    return new Plane(
        inHeight,
        inWidth,
        size(output, 2),
        outWidth,
        w.kernel().get(0),
        w.kernel().get(1),
        w.strides().get(0),
        w.strides().get(1),
        w.padsBegin().get(0),
        w.padsBegin().get(1),
        w.dilations().get(0),
        w.dilations().get(1),
        rowStride,
        pixelStride);
  }

  private static boolean isPointwise(Window w) {
    return w.kernel().stream().allMatch(k -> k == 1)
        && w.strides().stream().allMatch(s -> s == 1)
        && w.padsBegin().stream().allMatch(p -> p == 0)
        && w.padsEnd().stream().allMatch(p -> p == 0);
  }

  private static int size(TensorType type, int axis) {
    Affine dim = type.dim(axis);
    return Math.toIntExact(dim.asConstant());
  }
}
