package io.miniinference.interp.fast;

import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Window;
import java.lang.foreign.MemorySegment;

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
  private final int height;
  private final int width;
  private final int depth;

  private VectorConv(
      Task task, VectorPlanes planes, RowSink sink, ConvGroups of, boolean transposed) {
    TensorView y = task.output();
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
      Task task, Window window, int groups, boolean transposed, RowSink.Factory sinks) {
    ConvGroups of = ConvGroups.of(task, groups);
    boolean isNative = task.operand(0).isNative() && task.operand(1).isNative();
    if (!isNative || of.depth() == 0 || task.output().elements() == 0) {
      return false;
    }
    long perRow = 4 * of.depth() * (transposed ? VectorScratch.ROWS : 1);
    VectorPlanes planes = VectorPlanes.of(task, window, groups, transposed);
    if (planes == null || perRow > VectorScratch.MOST_BYTES) {
      return false;
    }
    of.forEach(task, new VectorConv(task, planes, sinks.bind(task), of, transposed)::image);
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
          .multiply(from(m + r), rows, 0, band.spread(), scratch.sums, VectorScratch.PITCH);
      for (int i = 0; i < rows; i++) {
        put(n * of.channels() + m + r + i, i * VectorScratch.PITCH, band);
      }
    }
  }

  private VectorTile left(long m, int rows) {
    MemorySegment left = isTurned() ? turned(m, rows) : w.memory();
    return new VectorTile(left, 4 * rowStep(), planes.memory(), planes.at(), depth);
  }

  /* Whether the weights of one output do not lie together. */
  private boolean isTurned() {
    return transposed && of.inputs() > 1 && w.strides().steps()[0] != of.taps();
  }

  /* Elements between the weights of two outputs. */
  private long rowStep() {
    return transposed && !isTurned() ? w.strides().steps()[1] : depth;
  }

  /* Where the weights of an output begin, in bytes. */
  private long from(long m) {
    if (isTurned()) {
      return 0;
    }
    return w.byteAt(transposed ? of.transposedWeight(w, m, 0) : w.strides().base() + m * depth);
  }

  private MemorySegment turned(long m, int rows) {
    MemorySegment left = scratch.left(4L * depth * rows);
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < of.inputs(); c++) {
        long to = r * (long) depth + (long) c * of.taps();
        w.copyFloats(of.transposedWeight(w, m + r, c), 1, left, to, 1, of.taps());
      }
    }
    return left;
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
