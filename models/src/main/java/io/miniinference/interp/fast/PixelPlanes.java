package io.miniinference.interp.fast;

import io.miniinference.interp.lanes.PixelScratch;
import io.miniinference.interp.lanes.VectorScratch;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Window;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What each pixel of a convolution's result sees of an image, as rows of a product: a copy of some
/// of its rows with their padding.
final class PixelPlanes {
  private final TensorView x;
  private final Axis high;
  private final Axis wide;
  private final int inputs;
  private final int outputWidth;
  private final int bandRows;
  private final int pitch;
  private final int planeStep;
  private final float[] values;
  private final int[] pixelAt;
  private final int[] depthAt;

  /// One spatial axis of a window.
  private record Axis(int kernel, int stride, int dilation, int pad, int extent) {
    static Axis of(Window window, int axis, long extent) {
      return new Axis(
          window.kernel().get(axis),
          window.strides().get(axis),
          window.dilations().get(axis),
          window.padsBegin().get(axis),
          Math.toIntExact(extent));
    }

    /// Elements that `count` neighbouring outputs see, padding included.
    long seen(long count) {
      return (count - 1) * stride + (kernel - 1L) * dilation + 1;
    }
  }

  private PixelPlanes(Task task, Axis high, Axis wide, int bandRows) {
    TensorView y = task.output();
    this.x = task.operand(0);
    this.high = high;
    this.wide = wide;
    this.bandRows = bandRows;
    inputs = Math.toIntExact(x.dim(1));
    outputWidth = Math.toIntExact(y.dim(y.rank() - 1));
    pitch = (int) wide.seen(outputWidth);
    planeStep = pitch * (int) high.seen(bandRows);
    PixelScratch scratch = PixelScratch.get();
    values = scratch.values(planeStep * inputs);
    pixelAt = scratch.pixelAt(bandRows * outputWidth);
    depthAt = scratch.depthAt(depth());
    locatePixels();
    locateTaps();
  }

  /// The planes of a convolution without groups, if they are not too large for a thread's memory.
  ///
  /// @param pixels that are worked on at most
  static @Nullable PixelPlanes of(Task task, Window window, int pixels) {
    TensorView x = task.operand(0);
    TensorView y = task.output();
    int last = x.rank() - 1;
    Axis wide = Axis.of(window, last - 2, x.dim(last));
    Axis high = last == 2 ? new Axis(1, 1, 1, 0, 1) : Axis.of(window, 0, x.dim(2));
    long width = y.dim(last);
    long height = last == 2 ? 1 : y.dim(2);
    if (width > pixels) {
      return null;
    }
    long rows = Math.min(height, pixels / width);
    while (rows > 1 && bytes(x, high, wide, rows, width) > VectorScratch.GOOD_BYTES) {
      rows = Math.ceilDiv(rows, 2);
    }
    return bytes(x, high, wide, rows, width) > VectorScratch.MOST_BYTES
        ? null
        : new PixelPlanes(task, high, wide, Math.toIntExact(rows));
  }

  /* In numbers that do not overflow. */
  private static double bytes(TensorView x, Axis high, Axis wide, long rows, long width) {
    return 4.0 * x.dim(1) * high.seen(rows) * wide.seen(width);
  }

  private void locatePixels() {
    for (int i = 0; i < bandRows; i++) {
      for (int j = 0; j < outputWidth; j++) {
        pixelAt[i * outputWidth + j] = i * high.stride * pitch + j * wide.stride;
      }
    }
  }

  private void locateTaps() {
    int next = 0;
    for (int c = 0; c < inputs; c++) {
      for (int kh = 0; kh < high.kernel; kh++) {
        for (int kw = 0; kw < wide.kernel; kw++) {
          depthAt[next++] = c * planeStep + kh * high.dilation * pitch + kw * wide.dilation;
        }
      }
    }
  }

  int depth() {
    return inputs * high.kernel * wide.kernel;
  }

  /// Rows of the result that the memory is for.
  int bandRows() {
    return bandRows;
  }

  /// What the band's pixels see.
  float[] values() {
    return values;
  }

  /// Where in it what each pixel of the band sees begins.
  int[] pixelAt() {
    return pixelAt;
  }

  /// Where what each tap of each channel sees lies, from a pixel's begin on.
  int[] depthAt() {
    return depthAt;
  }

  /// Sees rows `row` to `row + rows − 1` of the result of an image.
  void moveTo(long n, int row, int rows) {
    long[] steps = x.strides().steps();
    long image = x.strides().base() + n * steps[0];
    int top = row * high.stride - high.pad;
    int from = Math.max(0, top);
    int to = (int) Math.min(high.extent, top + high.seen(rows));
    int columns = Math.min(wide.extent, pitch - wide.pad);
    if (to - from < high.seen(rows) || columns < pitch) {
      Arrays.fill(values, 0, planeStep * inputs, 0);
    }
    for (int c = 0; c < inputs && columns > 0; c++) {
      copy(
          image + c * steps[1], from, to, columns, c * planeStep + (from - top) * pitch + wide.pad);
    }
  }

  private void copy(long plane, int from, int to, int columns, int at) {
    long rowStep = x.rank() == 3 ? 0 : x.strides().steps()[2];
    long columnStep = x.strides().steps()[x.rank() - 1];
    if (columns == pitch && columnStep == 1 && rowStep == pitch && to > from) {
      x.floats(plane + from * rowStep, 1, values, at, (to - from) * pitch);
      return;
    }
    for (int y = from; y < to; y++) {
      x.floats(plane + y * rowStep, columnStep, values, at + (y - from) * pitch, columns);
    }
  }
}
