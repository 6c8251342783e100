package io.miniinference.interp.fast;

import io.miniinference.interp.lanes.VectorScratch;
import io.miniinference.interp.lanes.VectorTile;
import io.miniinference.interp.memory.TensorView;
import java.lang.foreign.MemorySegment;

/// The matrix product in `F32` by [VectorTile], of matrices in native memory. Rows of the left
/// operand and columns of the right one that do not lie as neighbours are copied first.
final class VectorMatMul {
  /* Columns that are copied at once. */
  private static final int COPIED = 4 * VectorTile.LANES;

  private final TensorView a;
  private final TensorView b;
  private final RowSink sink;
  private final VectorScratch scratch = VectorScratch.get();
  private final int depth;
  private final int width;
  private final long rowStepA;
  private final long depthStepA;
  private final long depthStepB;
  private final long columnStepB;
  private final boolean copiesB;
  private final long[] rightAt;

  VectorMatMul(TensorView a, TensorView b, RowSink sink, int width) {
    int rank = a.rank();
    this.a = a;
    this.b = b;
    this.sink = sink;
    this.width = width;
    depth = Math.toIntExact(a.dim(rank - 1));
    rowStepA = a.strides().steps()[rank - 2];
    depthStepA = a.strides().steps()[rank - 1];
    depthStepB = b.strides().steps()[rank - 2];
    columnStepB = b.strides().steps()[rank - 1];
    copiesB = columnStepB != 1 && width > 1;
    rightAt = scratch.rightAt(depth);
  }

  /// Whether there is a form for these operands.
  static boolean suits(TensorView a, TensorView b) {
    long depth = a.dim(a.rank() - 1);
    long most = Math.max(VectorScratch.ROWS, 4L * 16);
    return a.isNative()
        && b.isNative()
        && depth > 0
        && 4 * most * depth <= VectorScratch.MOST_BYTES;
  }

  /// Computes `count` rows of one matrix.
  ///
  /// @param first the position of the first of them in the result
  /// @param atA the offset of the first row of the left operand
  /// @param atB the offset of the right operand
  void rows(long first, int count, long atA, long atB) {
    int most = copiesB ? COPIED : VectorScratch.COLUMNS;
    for (int column = 0; column < width; column += most) {
      int columns = Math.min(most, width - column);
      MemorySegment right = right(atB + column * columnStepB, columns);
      for (int r = 0; r < count; r += VectorScratch.ROWS) {
        int rows = Math.min(VectorScratch.ROWS, count - r);
        multiply(atA + r * rowStepA, rows, right, columns);
        for (int i = 0; i < rows; i++) {
          put(first + (long) (r + i) * width + column, i, columns);
        }
      }
    }
  }

  private void multiply(long atA, int rows, MemorySegment right, int columns) {
    float[] left = scratch.left(rows * depth);
    int[] rowAt = scratch.rowAt(rows);
    for (int r = 0; r < rows; r++) {
      rowAt[r] = r * depth;
      a.floats(atA + r * rowStepA, depthStepA, left, r * depth, depth);
    }
    new VectorTile(left, rowAt, scratch.neighbours(depth), right, rightAt, depth)
        .multiply(rows, 0, columns, copiesB, scratch.sums, 0, VectorScratch.PITCH);
  }

  private MemorySegment right(long atB, int columns) {
    MemorySegment right = copiesB ? scratch.right(4L * depth * COPIED) : b.memory();
    for (int k = 0; k < depth; k++) {
      rightAt[k] = copiesB ? 4L * k * COPIED : b.byteAt(atB + k * depthStepB);
    }
    for (int c = 0; c < columns && copiesB; c++) {
      b.copyFloats(atB + c * columnStepB, depthStepB, right, c, COPIED, depth);
    }
    return right;
  }

  private void put(long first, int row, int columns) {
    System.arraycopy(scratch.sums, row * VectorScratch.PITCH, scratch.row, 0, columns);
    sink.put(first, scratch.row, columns);
  }
}
