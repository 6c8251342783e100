package io.miniinference.interp.fast;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/// Tiles of a matrix product `left · right` that are summed up in registers, with the Vector API:
/// the only class that needs the module `jdk.incubator.vector`.
///
/// Lanes are neighbouring columns of the result, so that each element is summed up alone, product
/// after product in order of the depth, each fused with its sum: the bits are the same however many
/// lanes a vector has. A row of `right` may lie anywhere, which makes a convolution a product: the
/// rows are what its taps see.
///
/// Both operands are native memory, and offsets are bytes.
///
/// The tiles are written out, a variable per vector of sums, and are alike for that reason: C2
/// keeps a vector in a register only as a local variable. It makes an object of each in an array or
/// field, and of each that a method returns which is not inlined, in the innermost loop.
final class VectorTile {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ORDER);

  /// Columns of one vector.
  static final int LANES = SPECIES.length();

  /// Columns of a tile.
  static final int COLUMNS = 2 * LANES;

  /// Columns of a tile of one row.
  static final int LONG = 8 * LANES;

  /* AVX2 has 16 registers, all others of use have 32. */
  private static final boolean MANY_REGISTERS = SPECIES.vectorBitSize() != 256;

  private final MemorySegment left;
  private final long rowStep;
  private final MemorySegment right;
  private final long[] at;
  private final int depth;

  /// @param rowStep bytes between rows of the left operand, whose elements of a row are neighbours
  /// @param at where each row of the right operand begins
  VectorTile(MemorySegment left, long rowStep, MemorySegment right, long[] at, int depth) {
    this.left = left;
    this.rowStep = rowStep;
    this.right = right;
    this.at = at;
    this.depth = depth;
  }

  /// Computes the product of `rows` rows from `from` on with `columns` columns from `column` on.
  ///
  /// @param sums takes them from the start on, rows `pitch` elements apart, of which a few after
  ///   the last row and column are overwritten
  void multiply(long from, int rows, long column, int columns, float[] sums, int pitch) {
    if (rows == 1 && columns >= LONG) {
      for (int c = 0; c < columns; c += LONG) {
        int begin = Math.min(c, columns - LONG);
        one(from, column + 4L * begin, sums, begin);
      }
      return;
    }
    if (columns < COLUMNS) {
      for (int c = 0; c < columns; c += LANES) {
        narrow(from, rows, column + 4L * c, columns - c, sums, c, pitch);
      }
      return;
    }
    strip(from, rows, column, columns, sums, pitch, MANY_REGISTERS && columns >= 2 * COLUMNS);
  }

  private void strip(
      long from, int rows, long column, int columns, float[] sums, int pitch, boolean wide) {
    int width = wide ? 2 * COLUMNS : COLUMNS;
    for (int c = 0; c < columns; c += width) {
      int begin = Math.min(c, columns - width);
      for (int r = 0; r < rows; r += 4) {
        int last = Math.min(4, rows - r) - 1;
        long row = from + r * rowStep;
        if (wide) {
          fourByFour(row, last, column + 4L * begin, sums, begin + r * pitch, pitch);
        } else {
          four(row, last, column + 4L * begin, sums, begin + r * pitch, pitch);
        }
      }
    }
  }

  private void narrow(
      long from, int rows, long column, int columns, float[] sums, int to, int pitch) {
    for (int r = 0; r < rows; r += 4) {
      int last = Math.min(4, rows - r) - 1;
      fourNarrow(from + r * rowStep, last, column, columns, sums, to + r * pitch, pitch);
    }
  }

  /* Rows after the last one are the last one once more. */
  private void fourByFour(long from, int last, long column, float[] sums, int to, int pitch) {
    MemorySegment a = left;
    MemorySegment b = right;
    long[] rows = at;
    int length = depth;
    long r1 = from + Math.min(1, last) * rowStep;
    long r2 = from + Math.min(2, last) * rowStep;
    long r3 = from + Math.min(3, last) * rowStep;
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector t0 = s0;
    FloatVector t1 = s0;
    FloatVector t2 = s0;
    FloatVector t3 = s0;
    FloatVector u0 = s0;
    FloatVector u1 = s0;
    FloatVector u2 = s0;
    FloatVector u3 = s0;
    FloatVector v0 = s0;
    FloatVector v1 = s0;
    FloatVector v2 = s0;
    FloatVector v3 = s0;
    for (int k = 0; k < length; k++) {
      long offset = rows[k] + column;
      FloatVector x0 = FloatVector.fromMemorySegment(SPECIES, b, offset, ORDER);
      FloatVector x1 = FloatVector.fromMemorySegment(SPECIES, b, offset + 4L * LANES, ORDER);
      FloatVector x2 = FloatVector.fromMemorySegment(SPECIES, b, offset + 8L * LANES, ORDER);
      FloatVector x3 = FloatVector.fromMemorySegment(SPECIES, b, offset + 12L * LANES, ORDER);
      long i = 4L * k;
      FloatVector w = FloatVector.broadcast(SPECIES, a.get(FLOAT, from + i));
      s0 = w.fma(x0, s0);
      t0 = w.fma(x1, t0);
      u0 = w.fma(x2, u0);
      v0 = w.fma(x3, v0);
      w = FloatVector.broadcast(SPECIES, a.get(FLOAT, r1 + i));
      s1 = w.fma(x0, s1);
      t1 = w.fma(x1, t1);
      u1 = w.fma(x2, u1);
      v1 = w.fma(x3, v1);
      w = FloatVector.broadcast(SPECIES, a.get(FLOAT, r2 + i));
      s2 = w.fma(x0, s2);
      t2 = w.fma(x1, t2);
      u2 = w.fma(x2, u2);
      v2 = w.fma(x3, v2);
      w = FloatVector.broadcast(SPECIES, a.get(FLOAT, r3 + i));
      s3 = w.fma(x0, s3);
      t3 = w.fma(x1, t3);
      u3 = w.fma(x2, u3);
      v3 = w.fma(x3, v3);
    }
    store(s0, t0, sums, to);
    store(s1, t1, sums, to + pitch);
    store(s2, t2, sums, to + 2 * pitch);
    store(s3, t3, sums, to + 3 * pitch);
    store(u0, v0, sums, to + 2 * LANES);
    store(u1, v1, sums, to + pitch + 2 * LANES);
    store(u2, v2, sums, to + 2 * pitch + 2 * LANES);
    store(u3, v3, sums, to + 3 * pitch + 2 * LANES);
  }

  private static void store(FloatVector left, FloatVector right, float[] sums, int to) {
    left.intoArray(sums, to);
    right.intoArray(sums, to + LANES);
  }

  private void four(long from, int last, long column, float[] sums, int to, int pitch) {
    MemorySegment a = left;
    MemorySegment b = right;
    long[] rows = at;
    int length = depth;
    long r1 = from + Math.min(1, last) * rowStep;
    long r2 = from + Math.min(2, last) * rowStep;
    long r3 = from + Math.min(3, last) * rowStep;
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector t0 = s0;
    FloatVector t1 = s0;
    FloatVector t2 = s0;
    FloatVector t3 = s0;
    for (int k = 0; k < length; k++) {
      long offset = rows[k] + column;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, b, offset, ORDER);
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, offset + 4L * LANES, ORDER);
      long i = 4L * k;
      FloatVector w = FloatVector.broadcast(SPECIES, a.get(FLOAT, from + i));
      s0 = w.fma(x, s0);
      t0 = w.fma(y, t0);
      w = FloatVector.broadcast(SPECIES, a.get(FLOAT, r1 + i));
      s1 = w.fma(x, s1);
      t1 = w.fma(y, t1);
      w = FloatVector.broadcast(SPECIES, a.get(FLOAT, r2 + i));
      s2 = w.fma(x, s2);
      t2 = w.fma(y, t2);
      w = FloatVector.broadcast(SPECIES, a.get(FLOAT, r3 + i));
      s3 = w.fma(x, s3);
      t3 = w.fma(y, t3);
    }
    store(s0, t0, sums, to);
    store(s1, t1, sums, to + pitch);
    store(s2, t2, sums, to + 2 * pitch);
    store(s3, t3, sums, to + 3 * pitch);
  }

  /* Columns after the last one are not read. */
  private void fourNarrow(
      long from, int last, long column, int columns, float[] sums, int to, int pitch) {
    MemorySegment a = left;
    MemorySegment b = right;
    long[] rows = at;
    int length = depth;
    VectorMask<Float> mask = SPECIES.indexInRange(0, columns);
    long r1 = from + Math.min(1, last) * rowStep;
    long r2 = from + Math.min(2, last) * rowStep;
    long r3 = from + Math.min(3, last) * rowStep;
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    for (int k = 0; k < length; k++) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, b, rows[k] + column, ORDER, mask);
      long i = 4L * k;
      s0 = FloatVector.broadcast(SPECIES, a.get(FLOAT, from + i)).fma(x, s0);
      s1 = FloatVector.broadcast(SPECIES, a.get(FLOAT, r1 + i)).fma(x, s1);
      s2 = FloatVector.broadcast(SPECIES, a.get(FLOAT, r2 + i)).fma(x, s2);
      s3 = FloatVector.broadcast(SPECIES, a.get(FLOAT, r3 + i)).fma(x, s3);
    }
    s0.intoArray(sums, to);
    s1.intoArray(sums, to + pitch);
    s2.intoArray(sums, to + 2 * pitch);
    s3.intoArray(sums, to + 3 * pitch);
  }

  private void one(long from, long column, float[] sums, int to) {
    MemorySegment a = left;
    MemorySegment b = right;
    long[] rows = at;
    int length = depth;
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    for (int k = 0; k < length; k++) {
      long offset = rows[k] + column;
      FloatVector w = FloatVector.broadcast(SPECIES, a.get(FLOAT, from + 4L * k));
      s0 = w.fma(FloatVector.fromMemorySegment(SPECIES, b, offset, ORDER), s0);
      s1 = w.fma(FloatVector.fromMemorySegment(SPECIES, b, offset + 4L * LANES, ORDER), s1);
      s2 = w.fma(FloatVector.fromMemorySegment(SPECIES, b, offset + 8L * LANES, ORDER), s2);
      s3 = w.fma(FloatVector.fromMemorySegment(SPECIES, b, offset + 12L * LANES, ORDER), s3);
      s4 = w.fma(FloatVector.fromMemorySegment(SPECIES, b, offset + 16L * LANES, ORDER), s4);
      s5 = w.fma(FloatVector.fromMemorySegment(SPECIES, b, offset + 20L * LANES, ORDER), s5);
      s6 = w.fma(FloatVector.fromMemorySegment(SPECIES, b, offset + 24L * LANES, ORDER), s6);
      s7 = w.fma(FloatVector.fromMemorySegment(SPECIES, b, offset + 28L * LANES, ORDER), s7);
    }
    store(s0, s1, sums, to);
    store(s2, s3, sums, to + COLUMNS);
    store(s4, s5, sums, to + 2 * COLUMNS);
    store(s6, s7, sums, to + 3 * COLUMNS);
  }
}
