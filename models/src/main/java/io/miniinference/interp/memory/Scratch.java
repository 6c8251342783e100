package io.miniinference.interp.memory;

import java.util.Arrays;

/// The working memory of one thread for the fast forms, kept between calls.
public final class Scratch {
  /// Output elements that are worked on at once.
  public static final int COLUMNS = 512;

  /// Rows of a panel: summands that are worked on at once.
  public static final int DEPTH = 256;

  /// Accumulators: rows of a result that share a panel.
  public static final int ROWS = 64;

  private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

  public final float[][] panel = new float[DEPTH][COLUMNS];
  public final float[][] sums = new float[ROWS][COLUMNS];
  public final float[] left = new float[DEPTH];
  public final float[] right = new float[DEPTH];
  private float[][] registers = new float[8][COLUMNS];

  private long[][] wholes = new long[0][COLUMNS];

  private Scratch() {}

  public static Scratch get() {
    return OF_THREAD.get();
  }

  /// At least `count` arrays of [#COLUMNS] floats.
  public float[][] registers(int count) {
    int had = registers.length;
    if (had < count) {
      registers = Arrays.copyOf(registers, count);
      Arrays.setAll(registers, i -> i < had ? registers[i] : new float[COLUMNS]);
    }
    return registers;
  }

  /// At least `count` arrays of [#COLUMNS] longs.
  public long[][] wholes(int count) {
    int had = wholes.length;
    if (had < count) {
      wholes = Arrays.copyOf(wholes, count);
      Arrays.setAll(wholes, i -> i < had ? wholes[i] : new long[COLUMNS]);
    }
    return wholes;
  }
}
