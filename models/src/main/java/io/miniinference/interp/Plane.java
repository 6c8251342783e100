package io.miniinference.interp;

import io.miniinference.ir.Window;
import java.util.Arrays;

/// A window over the planes of an `F32` tensor `[N, C, W]` or `[N, C, H, W]` without blocked axes:
/// reads what one tap of the window sees, for a stretch of whole output rows.
final class Plane {
  private final TensorView x;
  private final boolean flat;
  private final int height;
  private final int width;
  private final long rowStep;
  private final long columnStep;
  private final int[] kernel;
  private final int[] strides;
  private final int[] dilations;
  private final int[] pads;
  private final boolean transposed;

  /// @param transposed whether the taps are those of a transposed convolution
  Plane(TensorView x, Window window, boolean transposed) {
    this.x = x;
    this.flat = x.rank() == 3;
    this.transposed = transposed;
    this.height = flat ? 1 : Math.toIntExact(x.dim(2));
    this.width = Math.toIntExact(x.dim(x.rank() - 1));
    long[] steps = x.strides().steps();
    this.rowStep = flat ? 0 : steps[2];
    this.columnStep = steps[x.rank() - 1];
    this.kernel = pair(window.kernel(), 1);
    this.strides = pair(window.strides(), 1);
    this.dilations = pair(window.dilations(), 1);
    this.pads = pair(window.padsBegin(), 0);
  }

  private int[] pair(java.util.List<Integer> values, int missing) {
    return flat ? new int[] {missing, values.getFirst()} : new int[] {values.get(0), values.get(1)};
  }

  static boolean suits(TensorView x) {
    return (x.rank() == 3 || x.rank() == 4) && !x.strides().isBlocked();
  }

  int taps() {
    return kernel[0] * kernel[1];
  }

  /// Offset of the plane of image `n`, channel `c`.
  long at(long n, long c) {
    Strides s = x.strides();
    return s.base() + n * s.steps()[0] + c * s.steps()[1];
  }

  /// Reads what tap `tap` sees of a plane at output rows `firstRow` to `firstRow + rows − 1`, each
  /// `columns` wide.
  ///
  /// @param outside what stands for padding
  void read(long plane, int tap, Rows rows, float outside, float[] target) {
    int kh = tap / kernel[1];
    int kw = tap % kernel[1];
    for (int i = 0; i < rows.count; i++) {
      int at = i * rows.columns;
      int y = row(rows.first + i, kh);
      if (y < 0 || y >= height) {
        Arrays.fill(target, at, at + rows.columns, outside);
      } else if (transposed) {
        spread(plane + y * rowStep, kw, rows.columns, target, at);
      } else {
        along(plane + y * rowStep, kw, rows.columns, outside, target, at);
      }
    }
  }

  /// A stretch of whole output rows.
  record Rows(int first, int count, int columns) {}

  private int row(int output, int kh) {
    if (!transposed) {
      return output * strides[0] - pads[0] + kh * dilations[0];
    }
    int reached = output + pads[0] - kh * dilations[0];
    return reached % strides[0] == 0 ? reached / strides[0] : -1;
  }

  private void along(long row, int kw, int columns, float outside, float[] target, int at) {
    int start = kw * dilations[1] - pads[1];
    int stride = strides[1];
    int from = Math.clamp(Math.ceilDiv(-start, stride), 0, columns);
    int to = Math.clamp(Math.ceilDiv(width - start, stride), from, columns);
    Arrays.fill(target, at, at + from, outside);
    long offset = row + (start + (long) from * stride) * columnStep;
    x.floats(offset, stride * columnStep, target, at + from, to - from);
    Arrays.fill(target, at + to, at + columns, outside);
  }

  private void spread(long row, int kw, int columns, float[] target, int at) {
    Arrays.fill(target, at, at + columns, 0);
    int stride = strides[1];
    int shift = kw * dilations[1] - pads[1];
    int from = Math.max(0, Math.ceilDiv(-shift, stride));
    for (int i = from; i < width && i * stride + shift < columns; i++) {
      target[at + i * stride + shift] = x.floatAt(row + i * columnStep);
    }
  }
}
