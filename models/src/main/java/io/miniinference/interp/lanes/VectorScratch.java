package io.miniinference.interp.lanes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The working memory of one thread for vector forms, kept between calls. It grows as needed, up to
/// [#MOST_BYTES] for each operand.
public final class VectorScratch {
  /// A product that needs more is computed in another form.
  public static final long MOST_BYTES = 8L << 20;

  /// What stays in a core's cache, beside what it is multiplied by.
  public static final long GOOD_BYTES = 256 << 10;

  /// Columns of a result that are worked on at once.
  public static final int COLUMNS = 1024;

  /// Rows of a result that are worked on at once.
  public static final int ROWS = 32;

  /* What a tile writes past the last column. */
  private static final int SLACK = 64;

  /// Elements between rows of [#sums].
  public static final int PITCH = COLUMNS + SLACK;

  private static final ThreadLocal<VectorScratch> OF_THREAD =
      ThreadLocal.withInitial(VectorScratch::new);

  /// Sums of a tile's rows.
  public final float[] sums = new float[(ROWS + 1) * PITCH];

  /// A row on its way to the sink.
  public final float[] row = new float[COLUMNS];

  private MemorySegment right = MemorySegment.NULL;
  private float[] left = {};
  private int[] rowAt = {};
  private int[] leftAt = {};
  private long[] rightAt = {};

  private VectorScratch() {}

  public static VectorScratch get() {
    return OF_THREAD.get();
  }

  /// At least `count` elements of the left operand.
  public float[] left(int count) {
    if (left.length < count) {
      left = new float[count];
    }
    return left;
  }

  /// Memory for the right operand, and for a few columns more.
  public MemorySegment right(long bytes) {
    if (right.byteSize() < bytes + 4 * SLACK) {
      right = allocate(bytes);
    }
    return right;
  }

  /// At least `count` offsets of rows of the left operand.
  public int[] rowAt(int count) {
    if (rowAt.length < count) {
      rowAt = new int[count];
    }
    return rowAt;
  }

  /// At least `count` offsets of elements in a row of the left operand.
  public int[] leftAt(int count) {
    if (leftAt.length < count) {
      leftAt = new int[count];
    }
    return leftAt;
  }

  /// The places of at least `count` neighbours in a row of the left operand.
  public int[] neighbours(int count) {
    int[] at = leftAt(count);
    for (int k = 0; k < count; k++) {
      at[k] = k;
    }
    return at;
  }

  /// At least `count` offsets of rows of the right operand.
  public long[] rightAt(int count) {
    if (rightAt.length < count) {
      rightAt = new long[count];
    }
    return rightAt;
  }

  private static MemorySegment allocate(long bytes) {
    return Arena.ofAuto().allocate(Math.max(bytes, 1 << 16) + 4 * SLACK, 64);
  }
}
