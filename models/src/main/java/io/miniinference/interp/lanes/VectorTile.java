package io.miniinference.interp.lanes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/// Tiles of a matrix product `left · right` that are summed up in registers, with the Vector API:
/// one of the classes that need the module `jdk.incubator.vector`, as [VectorLoops] is.
///
/// Lanes are neighbouring columns of the result, so that each element is summed up alone, product
/// after product in order of the depth, each fused with its sum: the bits are the same however many
/// lanes a vector has. Rows of either operand may lie anywhere, which makes a convolution a
/// product: its columns are neighbouring pixels and the rows of `right` what a tap sees of them, or
/// they are neighbouring channels of the result and the rows of `left` what a pixel sees.
///
/// The right operand is native memory, where offsets are bytes, and the left one an array, of which
/// the processor fills a vector with an element as it reads it: from a memory segment C2 makes
/// three instructions of that, which take the place of products.
///
/// The tiles are written out, a variable per vector of sums, and are alike for that reason: C2
/// keeps a vector in a register only as a local variable. It makes an object of each in an array or
/// field, of each that a method returns which is not inlined, and of all in a method of so much
/// code that it stops inlining in it (some thousand nodes).
public final class VectorTile {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  /// Columns of one vector.
  public static final int LANES = SPECIES.length();

  /// Columns of a tile of two vectors.
  public static final int COLUMNS = 2 * LANES;

  /// Columns of a tile of one row.
  public static final int LONG = 8 * LANES;

  /// Rows of the tallest tile: so many after the last one may be overwritten in the sums.
  public static final int TALL = 8;

  /* AVX2 has 16 registers, all others of use have 32. */
  private static final boolean MANY_REGISTERS = SPECIES.vectorBitSize() != 256;

  /// Columns of the widest tile of several rows.
  public static final int WIDE = MANY_REGISTERS ? 2 * COLUMNS : COLUMNS;

  private final float[] left;
  private final int[] rowAt;
  private final int[] leftAt;
  private final MemorySegment right;
  private final long[] rightAt;
  private final int depth;

  /// @param rowAt where each row of the left operand begins
  /// @param leftAt where the elements of a row lie, counted from its begin
  /// @param rightAt where each row of the right operand begins, whose columns are neighbours
  public VectorTile(
      float[] left, int[] rowAt, int[] leftAt, MemorySegment right, long[] rightAt, int depth) {
    this.left = left;
    this.rowAt = rowAt;
    this.leftAt = leftAt;
    this.right = right;
    this.rightAt = rightAt;
    this.depth = depth;
  }

  /// Computes the product of the first `rows` rows with `columns` columns from `column` on.
  ///
  /// @param readsOn whether there is memory behind the last column, for a vector of columns
  /// @param sums takes them from `to` on, rows `pitch` elements apart, of which a few after the
  ///   last row and column are overwritten
  public void multiply(
      int rows, long column, int columns, boolean readsOn, float[] sums, int to, int pitch) {
    if (rows == 1 && columns >= LONG) {
      for (int c = 0; c < columns; c += LONG) {
        int begin = Math.min(c, columns - LONG);
        one(column + 4L * begin, sums, to + begin);
      }
      return;
    }
    int done = 0;
    if (MANY_REGISTERS) {
      for (; columns - done > 3 * LANES && columns >= WIDE; done += WIDE) {
        wide(rows, column, Math.min(done, columns - WIDE), sums, to, pitch);
      }
    }
    for (; columns - done > LANES && (columns >= COLUMNS || readsOn); done += COLUMNS) {
      pairs(rows, column, Math.clamp(columns - COLUMNS, 0, done), sums, to, pitch);
    }
    for (; done < columns && (columns >= LANES || readsOn); done += LANES) {
      singles(rows, column, Math.clamp(columns - LANES, 0, done), sums, to, pitch);
    }
    if (done < columns) {
      masked(rows, column, columns, sums, to, pitch);
    }
  }

  private void wide(int rows, long column, int begin, float[] sums, int to, int pitch) {
    for (int r = 0; r < rows; r += 4) {
      fourByFour(r, rows - 1, column + 4L * begin, sums, to + begin + r * pitch, pitch);
    }
  }

  private void pairs(int rows, long column, int begin, float[] sums, int to, int pitch) {
    for (int r = 0; r < rows; ) {
      int at = to + begin + r * pitch;
      if (MANY_REGISTERS && rows - r > 4) {
        eightByTwo(r, rows - 1, column + 4L * begin, sums, at, pitch);
        r += 8;
      } else {
        fourByTwo(r, rows - 1, column + 4L * begin, sums, at, pitch);
        r += 4;
      }
    }
  }

  private void singles(int rows, long column, int begin, float[] sums, int to, int pitch) {
    for (int r = 0; r < rows; r += 8) {
      eightByOne(r, rows - 1, column + 4L * begin, sums, to + begin + r * pitch, pitch);
    }
  }

  private void masked(int rows, long column, int columns, float[] sums, int to, int pitch) {
    for (int r = 0; r < rows; r += 4) {
      fourMasked(r, rows - 1, column, columns, sums, to + r * pitch, pitch);
    }
  }

  /* Rows after the last one are the last one once more. */
  private void fourByFour(int row, int last, long column, float[] sums, int to, int pitch) {
    float[] a = left;
    MemorySegment b = right;
    int[] depthLeft = leftAt;
    long[] depthRight = rightAt;
    int length = depth;
    int r0 = rowAt[row];
    int r1 = rowAt[Math.min(row + 1, last)];
    int r2 = rowAt[Math.min(row + 2, last)];
    int r3 = rowAt[Math.min(row + 3, last)];
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
      long at = depthRight[k] + column;
      FloatVector b0 = FloatVector.fromMemorySegment(SPECIES, b, at, ORDER);
      FloatVector b1 = FloatVector.fromMemorySegment(SPECIES, b, at + 4L * LANES, ORDER);
      FloatVector b2 = FloatVector.fromMemorySegment(SPECIES, b, at + 8L * LANES, ORDER);
      FloatVector b3 = FloatVector.fromMemorySegment(SPECIES, b, at + 12L * LANES, ORDER);
      int i = depthLeft[k];
      FloatVector f = FloatVector.broadcast(SPECIES, a[r0 + i]);
      s0 = f.fma(b0, s0);
      t0 = f.fma(b1, t0);
      u0 = f.fma(b2, u0);
      v0 = f.fma(b3, v0);
      f = FloatVector.broadcast(SPECIES, a[r1 + i]);
      s1 = f.fma(b0, s1);
      t1 = f.fma(b1, t1);
      u1 = f.fma(b2, u1);
      v1 = f.fma(b3, v1);
      f = FloatVector.broadcast(SPECIES, a[r2 + i]);
      s2 = f.fma(b0, s2);
      t2 = f.fma(b1, t2);
      u2 = f.fma(b2, u2);
      v2 = f.fma(b3, v2);
      f = FloatVector.broadcast(SPECIES, a[r3 + i]);
      s3 = f.fma(b0, s3);
      t3 = f.fma(b1, t3);
      u3 = f.fma(b2, u3);
      v3 = f.fma(b3, v3);
    }
    s0.intoArray(sums, to);
    t0.intoArray(sums, to + LANES);
    u0.intoArray(sums, to + 2 * LANES);
    v0.intoArray(sums, to + 3 * LANES);
    s1.intoArray(sums, to + pitch);
    t1.intoArray(sums, to + pitch + LANES);
    u1.intoArray(sums, to + pitch + 2 * LANES);
    v1.intoArray(sums, to + pitch + 3 * LANES);
    s2.intoArray(sums, to + 2 * pitch);
    t2.intoArray(sums, to + 2 * pitch + LANES);
    u2.intoArray(sums, to + 2 * pitch + 2 * LANES);
    v2.intoArray(sums, to + 2 * pitch + 3 * LANES);
    s3.intoArray(sums, to + 3 * pitch);
    t3.intoArray(sums, to + 3 * pitch + LANES);
    u3.intoArray(sums, to + 3 * pitch + 2 * LANES);
    v3.intoArray(sums, to + 3 * pitch + 3 * LANES);
  }

  private void eightByTwo(int row, int last, long column, float[] sums, int to, int pitch) {
    float[] a = left;
    MemorySegment b = right;
    int[] depthLeft = leftAt;
    long[] depthRight = rightAt;
    int length = depth;
    int r0 = rowAt[row];
    int r1 = rowAt[Math.min(row + 1, last)];
    int r2 = rowAt[Math.min(row + 2, last)];
    int r3 = rowAt[Math.min(row + 3, last)];
    int r4 = rowAt[Math.min(row + 4, last)];
    int r5 = rowAt[Math.min(row + 5, last)];
    int r6 = rowAt[Math.min(row + 6, last)];
    int r7 = rowAt[Math.min(row + 7, last)];
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    FloatVector t0 = s0;
    FloatVector t1 = s0;
    FloatVector t2 = s0;
    FloatVector t3 = s0;
    FloatVector t4 = s0;
    FloatVector t5 = s0;
    FloatVector t6 = s0;
    FloatVector t7 = s0;
    for (int k = 0; k < length; k++) {
      long at = depthRight[k] + column;
      FloatVector b0 = FloatVector.fromMemorySegment(SPECIES, b, at, ORDER);
      FloatVector b1 = FloatVector.fromMemorySegment(SPECIES, b, at + 4L * LANES, ORDER);
      int i = depthLeft[k];
      FloatVector f = FloatVector.broadcast(SPECIES, a[r0 + i]);
      s0 = f.fma(b0, s0);
      t0 = f.fma(b1, t0);
      f = FloatVector.broadcast(SPECIES, a[r1 + i]);
      s1 = f.fma(b0, s1);
      t1 = f.fma(b1, t1);
      f = FloatVector.broadcast(SPECIES, a[r2 + i]);
      s2 = f.fma(b0, s2);
      t2 = f.fma(b1, t2);
      f = FloatVector.broadcast(SPECIES, a[r3 + i]);
      s3 = f.fma(b0, s3);
      t3 = f.fma(b1, t3);
      f = FloatVector.broadcast(SPECIES, a[r4 + i]);
      s4 = f.fma(b0, s4);
      t4 = f.fma(b1, t4);
      f = FloatVector.broadcast(SPECIES, a[r5 + i]);
      s5 = f.fma(b0, s5);
      t5 = f.fma(b1, t5);
      f = FloatVector.broadcast(SPECIES, a[r6 + i]);
      s6 = f.fma(b0, s6);
      t6 = f.fma(b1, t6);
      f = FloatVector.broadcast(SPECIES, a[r7 + i]);
      s7 = f.fma(b0, s7);
      t7 = f.fma(b1, t7);
    }
    s0.intoArray(sums, to);
    t0.intoArray(sums, to + LANES);
    s1.intoArray(sums, to + pitch);
    t1.intoArray(sums, to + pitch + LANES);
    s2.intoArray(sums, to + 2 * pitch);
    t2.intoArray(sums, to + 2 * pitch + LANES);
    s3.intoArray(sums, to + 3 * pitch);
    t3.intoArray(sums, to + 3 * pitch + LANES);
    s4.intoArray(sums, to + 4 * pitch);
    t4.intoArray(sums, to + 4 * pitch + LANES);
    s5.intoArray(sums, to + 5 * pitch);
    t5.intoArray(sums, to + 5 * pitch + LANES);
    s6.intoArray(sums, to + 6 * pitch);
    t6.intoArray(sums, to + 6 * pitch + LANES);
    s7.intoArray(sums, to + 7 * pitch);
    t7.intoArray(sums, to + 7 * pitch + LANES);
  }

  private void fourByTwo(int row, int last, long column, float[] sums, int to, int pitch) {
    float[] a = left;
    MemorySegment b = right;
    int[] depthLeft = leftAt;
    long[] depthRight = rightAt;
    int length = depth;
    int r0 = rowAt[row];
    int r1 = rowAt[Math.min(row + 1, last)];
    int r2 = rowAt[Math.min(row + 2, last)];
    int r3 = rowAt[Math.min(row + 3, last)];
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector t0 = s0;
    FloatVector t1 = s0;
    FloatVector t2 = s0;
    FloatVector t3 = s0;
    for (int k = 0; k < length; k++) {
      long at = depthRight[k] + column;
      FloatVector b0 = FloatVector.fromMemorySegment(SPECIES, b, at, ORDER);
      FloatVector b1 = FloatVector.fromMemorySegment(SPECIES, b, at + 4L * LANES, ORDER);
      int i = depthLeft[k];
      FloatVector f = FloatVector.broadcast(SPECIES, a[r0 + i]);
      s0 = f.fma(b0, s0);
      t0 = f.fma(b1, t0);
      f = FloatVector.broadcast(SPECIES, a[r1 + i]);
      s1 = f.fma(b0, s1);
      t1 = f.fma(b1, t1);
      f = FloatVector.broadcast(SPECIES, a[r2 + i]);
      s2 = f.fma(b0, s2);
      t2 = f.fma(b1, t2);
      f = FloatVector.broadcast(SPECIES, a[r3 + i]);
      s3 = f.fma(b0, s3);
      t3 = f.fma(b1, t3);
    }
    s0.intoArray(sums, to);
    t0.intoArray(sums, to + LANES);
    s1.intoArray(sums, to + pitch);
    t1.intoArray(sums, to + pitch + LANES);
    s2.intoArray(sums, to + 2 * pitch);
    t2.intoArray(sums, to + 2 * pitch + LANES);
    s3.intoArray(sums, to + 3 * pitch);
    t3.intoArray(sums, to + 3 * pitch + LANES);
  }

  private void eightByOne(int row, int last, long column, float[] sums, int to, int pitch) {
    float[] a = left;
    MemorySegment b = right;
    int[] depthLeft = leftAt;
    long[] depthRight = rightAt;
    int length = depth;
    int r0 = rowAt[row];
    int r1 = rowAt[Math.min(row + 1, last)];
    int r2 = rowAt[Math.min(row + 2, last)];
    int r3 = rowAt[Math.min(row + 3, last)];
    int r4 = rowAt[Math.min(row + 4, last)];
    int r5 = rowAt[Math.min(row + 5, last)];
    int r6 = rowAt[Math.min(row + 6, last)];
    int r7 = rowAt[Math.min(row + 7, last)];
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    for (int k = 0; k < length; k++) {
      long at = depthRight[k] + column;
      FloatVector b0 = FloatVector.fromMemorySegment(SPECIES, b, at, ORDER);
      int i = depthLeft[k];
      FloatVector f = FloatVector.broadcast(SPECIES, a[r0 + i]);
      s0 = f.fma(b0, s0);
      f = FloatVector.broadcast(SPECIES, a[r1 + i]);
      s1 = f.fma(b0, s1);
      f = FloatVector.broadcast(SPECIES, a[r2 + i]);
      s2 = f.fma(b0, s2);
      f = FloatVector.broadcast(SPECIES, a[r3 + i]);
      s3 = f.fma(b0, s3);
      f = FloatVector.broadcast(SPECIES, a[r4 + i]);
      s4 = f.fma(b0, s4);
      f = FloatVector.broadcast(SPECIES, a[r5 + i]);
      s5 = f.fma(b0, s5);
      f = FloatVector.broadcast(SPECIES, a[r6 + i]);
      s6 = f.fma(b0, s6);
      f = FloatVector.broadcast(SPECIES, a[r7 + i]);
      s7 = f.fma(b0, s7);
    }
    s0.intoArray(sums, to);
    s1.intoArray(sums, to + pitch);
    s2.intoArray(sums, to + 2 * pitch);
    s3.intoArray(sums, to + 3 * pitch);
    s4.intoArray(sums, to + 4 * pitch);
    s5.intoArray(sums, to + 5 * pitch);
    s6.intoArray(sums, to + 6 * pitch);
    s7.intoArray(sums, to + 7 * pitch);
  }

  /* Columns after the last one are not read. */
  private void fourMasked(
      int row, int last, long column, int columns, float[] sums, int to, int pitch) {
    float[] a = left;
    MemorySegment b = right;
    int[] depthLeft = leftAt;
    long[] depthRight = rightAt;
    int length = depth;
    VectorMask<Float> mask = SPECIES.indexInRange(0, columns);
    int r0 = rowAt[row];
    int r1 = rowAt[Math.min(row + 1, last)];
    int r2 = rowAt[Math.min(row + 2, last)];
    int r3 = rowAt[Math.min(row + 3, last)];
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    for (int k = 0; k < length; k++) {
      long at = depthRight[k] + column;
      FloatVector b0 = FloatVector.fromMemorySegment(SPECIES, b, at, ORDER, mask);
      int i = depthLeft[k];
      FloatVector f = FloatVector.broadcast(SPECIES, a[r0 + i]);
      s0 = f.fma(b0, s0);
      f = FloatVector.broadcast(SPECIES, a[r1 + i]);
      s1 = f.fma(b0, s1);
      f = FloatVector.broadcast(SPECIES, a[r2 + i]);
      s2 = f.fma(b0, s2);
      f = FloatVector.broadcast(SPECIES, a[r3 + i]);
      s3 = f.fma(b0, s3);
    }
    s0.intoArray(sums, to);
    s1.intoArray(sums, to + pitch);
    s2.intoArray(sums, to + 2 * pitch);
    s3.intoArray(sums, to + 3 * pitch);
  }

  private void one(long column, float[] sums, int to) {
    float[] a = left;
    MemorySegment b = right;
    int[] depthLeft = leftAt;
    long[] depthRight = rightAt;
    int length = depth;
    int from = rowAt[0];
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    for (int k = 0; k < length; k++) {
      long at = depthRight[k] + column;
      FloatVector f = FloatVector.broadcast(SPECIES, a[from + depthLeft[k]]);
      s0 = f.fma(FloatVector.fromMemorySegment(SPECIES, b, at, ORDER), s0);
      s1 = f.fma(FloatVector.fromMemorySegment(SPECIES, b, at + 4L * LANES, ORDER), s1);
      s2 = f.fma(FloatVector.fromMemorySegment(SPECIES, b, at + 8L * LANES, ORDER), s2);
      s3 = f.fma(FloatVector.fromMemorySegment(SPECIES, b, at + 12L * LANES, ORDER), s3);
      s4 = f.fma(FloatVector.fromMemorySegment(SPECIES, b, at + 16L * LANES, ORDER), s4);
      s5 = f.fma(FloatVector.fromMemorySegment(SPECIES, b, at + 20L * LANES, ORDER), s5);
      s6 = f.fma(FloatVector.fromMemorySegment(SPECIES, b, at + 24L * LANES, ORDER), s6);
      s7 = f.fma(FloatVector.fromMemorySegment(SPECIES, b, at + 28L * LANES, ORDER), s7);
    }
    s0.intoArray(sums, to);
    s1.intoArray(sums, to + LANES);
    s2.intoArray(sums, to + 2 * LANES);
    s3.intoArray(sums, to + 3 * LANES);
    s4.intoArray(sums, to + 4 * LANES);
    s5.intoArray(sums, to + 5 * LANES);
    s6.intoArray(sums, to + 6 * LANES);
    s7.intoArray(sums, to + 7 * LANES);
  }
}
