package io.miniinference.interp.fast;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The working memory of one thread for vector forms, kept between calls. It grows as needed, up to
/// [#MOST_BYTES] for each operand.
final class VectorScratch {
  /// A product that needs more is computed in another form.
  static final long MOST_BYTES = 8L << 20;

  /// Columns of a result that are worked on at once.
  static final int COLUMNS = 1024;

  /// Rows of a result that are worked on at once.
  static final int ROWS = 32;

  /* What a tile writes past the last column. */
  private static final int SLACK = 64;

  /// Elements between rows of [#sums].
  static final int PITCH = COLUMNS + SLACK;

  private static final ThreadLocal<VectorScratch> OF_THREAD =
      ThreadLocal.withInitial(VectorScratch::new);

  /// Sums of a tile's rows.
  final float[] sums = new float[ROWS * PITCH];

  /// A row on its way to the sink.
  final float[] row = new float[COLUMNS];

  private MemorySegment left = MemorySegment.NULL;
  private MemorySegment right = MemorySegment.NULL;
  private long[] at = {};

  private VectorScratch() {}

  static VectorScratch get() {
    return OF_THREAD.get();
  }

  /// Memory for rows of the left operand.
  MemorySegment left(long bytes) {
    if (left.byteSize() < bytes) {
      left = allocate(bytes);
    }
    return left;
  }

  /// Memory for the right operand.
  MemorySegment right(long bytes) {
    if (right.byteSize() < bytes) {
      right = allocate(bytes);
    }
    return right;
  }

  /// At least `count` offsets.
  long[] at(int count) {
    if (at.length < count) {
      at = new long[count];
    }
    return at;
  }

  private static MemorySegment allocate(long bytes) {
    return Arena.ofAuto().allocate(Math.max(bytes, 1 << 16), 64);
  }
}
