package io.miniinference.interp.fast;

import io.miniinference.interp.fast.Plane.Patch;
import io.miniinference.interp.lanes.PixelScratch;
import io.miniinference.interp.lanes.VectorLoops;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Window;
import java.util.Arrays;

/// What pooling makes of whole rows of a plane, with [VectorLoops]: of a copy of what they see with
/// its padding, for each place as if every one were a result, of which those of the window's
/// strides are taken.
final class VectorWindow {
  private static final int MOST_ELEMENTS = 1 << 16;

  private final TensorView x;
  private final int height;
  private final int width;
  private final int[] kernel;
  private final int[] strides;
  private final int[] dilations;
  private final int[] pads;
  private final int pitch;
  private final float neutral;
  private final float[] seen;
  private final float[] left;
  private final float[] right;

  private VectorWindow(TensorView x, Window window, int outputWidth, int rows, float neutral) {
    this.x = x;
    this.neutral = neutral;
    height = Math.toIntExact(x.dim(2));
    width = Math.toIntExact(x.dim(3));
    kernel = window.kernel().stream().mapToInt(i -> i).toArray();
    strides = window.strides().stream().mapToInt(i -> i).toArray();
    dilations = window.dilations().stream().mapToInt(i -> i).toArray();
    pads = window.padsBegin().stream().mapToInt(i -> i).toArray();
    pitch = Math.toIntExact(seen(window, 1, outputWidth));
    int elements = Math.toIntExact(seen(window, 0, rows)) * pitch + VectorLoops.SLACK;
    PixelScratch scratch = PixelScratch.get();
    seen = scratch.values(elements);
    left = scratch.left(elements);
    right = scratch.right(elements);
  }

  private static long seen(Window window, int axis, long count) {
    return (count - 1) * window.strides().get(axis)
        + (window.kernel().get(axis) - 1L) * window.dilations().get(axis)
        + 1;
  }

  /// Whether there is a form for patches of some rows.
  static boolean suits(TensorView x, Window window, int outputWidth, int rows) {
    return VectorForms.areInUse()
        && x.rank() == 4
        && outputWidth > 0
        && seen(window, 0, rows) * (double) seen(window, 1, outputWidth) <= MOST_ELEMENTS;
  }

  /// Maxima over windows.
  static VectorWindow maxima(TensorView x, Window window, int outputWidth, int rows) {
    return new VectorWindow(x, window, outputWidth, rows, Float.NEGATIVE_INFINITY);
  }

  /// Sums over windows.
  static VectorWindow sums(TensorView x, Window window, int outputWidth, int rows) {
    return new VectorWindow(x, window, outputWidth, rows, 0);
  }

  /// Puts the maxima of a patch of whole rows into `result`: first down the rows of a window, then
  /// along them.
  void max(long plane, Patch patch, float[] result) {
    copy(plane, patch);
    int count = count(patch);
    int along = (kernel[1] - 1) * dilations[1];
    float[] tops = seen;
    for (int kh = 1; kh < kernel[0]; kh++) {
      VectorLoops.max(left, tops, seen, kh * dilations[0] * pitch, count + along);
      tops = left;
    }
    float[] all = tops;
    for (int kw = 1; kw < kernel[1]; kw++) {
      VectorLoops.max(right, all, tops, kw * dilations[1], count);
      all = right;
    }
    pick(all, patch, result);
  }

  /// Puts the sums of a patch of whole rows into `result`, added up in order of the taps.
  void sum(long plane, Patch patch, float[] result) {
    copy(plane, patch);
    int count = count(patch);
    Arrays.fill(left, 0, count, 0);
    for (int kh = 0; kh < kernel[0]; kh++) {
      for (int kw = 0; kw < kernel[1]; kw++) {
        int at = kh * dilations[0] * pitch + kw * dilations[1];
        VectorLoops.add(left, left, seen, at, count);
      }
    }
    pick(left, patch, result);
  }

  /* Places from the first result to the last. */
  private int count(Patch patch) {
    return (patch.rows() - 1) * strides[0] * pitch + (patch.columns() - 1) * strides[1] + 1;
  }

  private void pick(float[] values, Patch patch, float[] result) {
    int to = 0;
    for (int i = 0; i < patch.rows(); i++) {
      int from = i * strides[0] * pitch;
      for (int j = 0; j < patch.columns(); j++) {
        result[to + j] = values[from];
        from += strides[1];
      }
      to += patch.columns();
    }
  }

  private void copy(long plane, Patch patch) {
    int rows = (patch.rows() - 1) * strides[0] + (kernel[0] - 1) * dilations[0] + 1;
    int top = patch.row() * strides[0] - pads[0];
    int from = Math.max(0, top);
    int to = Math.min(height, top + rows);
    int columns = Math.min(width, pitch - pads[1]);
    long rowStep = x.strides().steps()[2];
    long columnStep = x.strides().steps()[3];
    if (columns == pitch && to - from == rows && columnStep == 1 && rowStep == pitch) {
      x.floats(plane + from * rowStep, 1, seen, 0, rows * pitch);
      return;
    }
    Arrays.fill(seen, 0, rows * pitch, neutral);
    for (int y = from; y < to && columns > 0; y++) {
      x.floats(plane + y * rowStep, columnStep, seen, (y - top) * pitch + pads[1], columns);
    }
  }
}
