package io.miniinference.interp.fast;

import io.miniinference.interp.lanes.VectorScratch;
import io.miniinference.interp.lanes.VectorTile;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Window;

/// Convolution and transposed convolution in `F32` as products of [VectorTile]: the rows of its
/// right operand are what the taps see, shifts of a copy of the image with its padding
/// ([VectorPlanes]), or of the image itself where there is one tap.
final class VectorConv {
  private final TensorView w;
  private final RowSink sink;
  private final VectorScratch scratch = VectorScratch.get();
  private final VectorPlanes planes;
  private final boolean transposed;
  private final ConvGroups of;
  private final ConvWeights weights;
  private final int height;
  private final int width;
  private final int depth;

  private VectorConv(
      Task task,
      VectorPlanes planes,
      RowSink sink,
      ConvGroups of,
      ConvWeights weights,
      boolean transposed) {
    TensorView y = task.output();
    this.weights = weights;
    this.w = task.operand(1);
    this.sink = sink;
    this.planes = planes;
    this.transposed = transposed;
    this.of = of;
    height = planes.isFlat() || y.rank() == 3 ? 1 : Math.toIntExact(y.dim(2));
    width =
        Math.toIntExact(Math.ceilDiv(y.elements(), Math.max(1, y.dim(0) * of.channels() * height)));
    depth = Math.toIntExact(of.depth());
  }

  /// Runs a share of a convolution, if it has a form here.
  ///
  /// @return whether it did
  static boolean run(
      Task task,
      Window window,
      int groups,
      ConvWeights weights,
      boolean transposed,
      RowSink.Factory sinks) {
    ConvGroups of = ConvGroups.of(task, groups);
    boolean isNative = task.operand(0).isNative() && task.operand(1).isNative();
    if (!isNative || of.depth() == 0 || task.output().elements() == 0) {
      return false;
    }
    long perRow = 4 * of.depth() * VectorScratch.ROWS;
    VectorPlanes planes = VectorPlanes.of(task, window, groups, transposed);
    if (planes == null || perRow > VectorScratch.MOST_BYTES) {
      return false;
    }
    RowSink sink = sinks.bind(task);
    of.forEach(task, new VectorConv(task, planes, sink, of, weights, transposed)::image);
    return true;
  }

  /* In bands of rows. */
  private void image(long n, long m, int count) {
    long firstInput = of.firstInput(m);
    if (planes.isFlat()) {
      for (int column = 0; column < width; column += VectorScratch.COLUMNS) {
        int columns = Math.min(VectorScratch.COLUMNS, width - column);
        planes.lookAt(n, firstInput, column);
        rows(n, m, count, new Band(0, 1, column, columns, columns));
      }
      return;
    }
    for (int row = 0; row < height; row += planes.bandRows()) {
      int rows = Math.min(planes.bandRows(), height - row);
      planes.copy(n, firstInput, row, rows);
      rows(n, m, count, new Band(row, rows, 0, width, planes.pitch()));
    }
  }

  /// Output positions that are computed at once: whole rows, or a piece of the only one.
  ///
  /// @param pitch columns between the rows
  private record Band(int row, int rows, int column, int columns, int pitch) {
    int spread() {
      return (rows - 1) * pitch + columns;
    }
  }

  private void rows(long n, long m, int count, Band band) {
    for (int r = 0; r < count; r += VectorScratch.ROWS) {
      int rows = Math.min(VectorScratch.ROWS, count - r);
      left(m + r, rows)
          .multiply(rows, 0, band.spread(), !planes.isFlat(), scratch.sums, 0, VectorScratch.PITCH);
      for (int i = 0; i < rows; i++) {
        put(n * of.channels() + m + r + i, i * VectorScratch.PITCH, band);
      }
    }
  }

  private VectorTile left(long m, int rows) {
    float[] left = scratch.left(rows * depth);
    int[] rowAt = scratch.rowAt(rows);
    for (int r = 0; r < rows; r++) {
      rowAt[r] = r * depth;
      load(m + r, left, r * depth);
    }
    int[] leftAt = scratch.neighbours(depth);
    return new VectorTile(left, rowAt, leftAt, planes.memory(), planes.at(), depth);
  }

  private void load(long m, float[] left, int at) {
    if (!transposed) {
      w.floats(weights.at(m, 0), weights.depth(), left, at, depth);
      return;
    }
    for (int c = 0; c < of.inputs(); c++) {
      long from = of.transposedWeight(w, m, c);
      w.floats(from, weights.depth(), left, at + c * of.taps(), of.taps());
    }
  }

  private void put(long plane, int from, Band band) {
    long first = (plane * height + band.row) * width + band.column;
    for (int i = 0; i < band.rows; i++) {
      System.arraycopy(
          scratch.sums, from + i * band.pitch, scratch.row, i * band.columns, band.columns);
    }
    sink.put(first, scratch.row, band.rows * band.columns);
  }
}
