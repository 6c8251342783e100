package io.miniinference.interp.fast;

import io.miniinference.interp.expr.FloatLoops;
import io.miniinference.interp.fast.Plane.Patch;
import io.miniinference.interp.memory.Scratch;
import java.util.Arrays;

/// Maxima of windows that go over whole rows of a plane: first down the rows of a window, all
/// columns at once, then along them.
final class MaxPatch {
  private final Plane plane;
  private final Scratch scratch = Scratch.get();
  private final float[] tops = scratch.panel[1];

  MaxPatch(Plane plane) {
    this.plane = plane;
  }

  /// Whether rows fit the working memory.
  static boolean suits(Plane plane, int outputWidth) {
    return plane.width() <= Scratch.COLUMNS && outputWidth <= Scratch.COLUMNS;
  }

  /// Puts the maxima of a patch of whole rows into `result`.
  void read(long at, Patch patch, float[] result) {
    for (int i = 0; i < patch.rows(); i++) {
      down(at, patch.row() + i);
      along(result, i * patch.columns(), patch.columns());
    }
  }

  /* The maximum of each column over the rows of a window. */
  private void down(long at, int output) {
    float[] row = scratch.panel[0];
    Arrays.fill(tops, 0, plane.width(), Float.NEGATIVE_INFINITY);
    for (int kh = 0; kh < plane.kernelHeight(); kh++) {
      if (plane.line(at, output, kh, row)) {
        FloatLoops.max(tops, tops, row, plane.width());
      }
    }
  }

  private void along(float[] result, int to, int columns) {
    Arrays.fill(result, to, to + columns, Float.NEGATIVE_INFINITY);
    int stride = plane.columnStride();
    for (int kw = 0; kw < plane.kernelWidth(); kw++) {
      long start = plane.start(kw);
      int end = plane.endInside(start, columns);
      for (int j = plane.firstInside(start, columns); j < end; j++) {
        result[to + j] = Math.max(result[to + j], tops[(int) start + j * stride]);
      }
    }
  }
}
