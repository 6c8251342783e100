package io.miniinference.interp.fast;

import io.miniinference.interp.memory.Scratch;
import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
  private final Along rows;

  /// How taps see an operand along one spatial axis.
  ///
  /// @param in elements of the operand along it
  /// @param transposed whether the taps are those of a transposed convolution
  record Along(int in, int stride, int dilation, int pad, boolean transposed) {

    /// The index of the operand that a tap sees from one of the result; −1 if that is padding.
    int seen(int output, int tap) {
      long shift = (long) tap * dilation - pad;
      long index = transposed ? spreadFrom(output - shift) : (long) output * stride + shift;
      return index < in ? (int) Math.max(index, -1) : -1;
    }

    /* The index that a transposed convolution spreads over others, of which this is one. */
    private long spreadFrom(long reached) {
      return reached % stride == 0 ? reached / stride : -1;
    }
  }

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
    this.rows = new Along(height, strides[0], dilations[0], pads[0], transposed);
  }

  private int[] pair(List<Integer> values, int missing) {
    return flat ? new int[] {missing, values.getFirst()} : new int[] {values.get(0), values.get(1)};
  }

  static boolean suits(TensorView x) {
    return (x.rank() == 3 || x.rank() == 4) && !x.strides().isBlocked();
  }

  int taps() {
    return kernel[0] * kernel[1];
  }

  int width() {
    return width;
  }

  int kernelHeight() {
    return kernel[0];
  }

  int kernelWidth() {
    return kernel[1];
  }

  int columnStride() {
    return strides[1];
  }

  /// The column of the plane that tap column `kw` sees from the first output; negative in padding.
  long start(int kw) {
    return (long) kw * dilations[1] - pads[1];
  }

  /// The first of `columns` neighbouring outputs whose tap sees a column of the plane, if that of
  /// output 0 is `start`; those before see padding.
  int firstInside(long start, int columns) {
    return Math.clamp(Math.ceilDiv(-start, strides[1]), 0, columns);
  }

  /// The end of those that see one; the others see padding.
  int endInside(long start, int columns) {
    return Math.clamp(Math.ceilDiv(width - start, strides[1]), 0, columns);
  }

  /// Reads the row of a plane that tap row `kh` sees from an output row.
  ///
  /// @return whether there is one; else it is padding
  boolean line(long plane, int output, int kh, float[] target) {
    int y = rows.seen(output, kh);
    if (y >= 0) {
      x.floats(plane + y * rowStep, columnStep, target, 0, width);
    }
    return y >= 0;
  }

  /// Offset of the plane of image `n`, channel `c`.
  long at(long n, long c) {
    Strides s = x.strides();
    return s.base() + n * s.steps()[0] + c * s.steps()[1];
  }

  /// Reads what tap `tap` sees of a plane at some output positions.
  ///
  /// @param outside what stands for padding
  void read(long plane, int tap, Patch patch, float outside, float[] target) {
    int kh = tap / kernel[1];
    int kw = tap % kernel[1];
    for (int i = 0; i < patch.rows; i++) {
      int at = i * patch.columns;
      int y = rows.seen(patch.row + i, kh);
      if (y < 0) {
        Arrays.fill(target, at, at + patch.columns, outside);
      } else if (transposed) {
        spread(plane + y * rowStep, kw, patch, target, at);
      } else {
        along(plane + y * rowStep, kw, patch, outside, target, at);
      }
    }
  }

  /// Neighbouring output positions: `rows` whole rows, or a piece of one that is too wide.
  record Patch(int row, int rows, int column, int columns) {

    int elements() {
      return rows * columns;
    }

    /// The patches of a plane, none of more than [Scratch#COLUMNS] elements.
    static List<Patch> of(int height, int width) {
      List<Patch> patches = new ArrayList<>();
      int columns = Math.min(width, Scratch.COLUMNS);
      int rows = columns < width ? 1 : Scratch.COLUMNS / Math.max(1, width);
      for (int row = 0; row < height; row += rows) {
        for (int column = 0; column < width; column += columns) {
          int wide = Math.min(columns, width - column);
          patches.add(new Patch(row, Math.min(rows, height - row), column, wide));
        }
      }
      return patches;
    }
  }

  private void along(long row, int kw, Patch patch, float outside, float[] target, int at) {
    int stride = strides[1];
    int columns = patch.columns;
    long start = (long) patch.column * stride + start(kw);
    int from = firstInside(start, columns);
    int to = endInside(start, columns);
    Arrays.fill(target, at, at + from, outside);
    if (to > from) { // else the tap sees padding alone, and is nowhere in the plane
      long offset = row + (start + (long) from * stride) * columnStep;
      x.floats(offset, stride * columnStep, target, at + from, to - from);
    }
    Arrays.fill(target, at + to, at + columns, outside);
  }

  private void spread(long row, int kw, Patch patch, float[] target, int at) {
    int columns = patch.columns;
    Arrays.fill(target, at, at + columns, 0);
    int stride = strides[1];
    long shift = start(kw) - patch.column;
    long from = Math.max(0, Math.ceilDiv(-shift, stride));
    for (long i = from; i < width && i * stride + shift < columns; i++) {
      target[(int) (at + i * stride + shift)] = x.floatAt(row + i * columnStep);
    }
  }
}
