package example;

import io.miniinference.ir.Tensor;
import java.lang.reflect.Array;
import java.util.Arrays;

/** Arrays of arrays as tensors of two axes, and back. */
final class Rows {
  static Tensor of(float[][] rows) {
    float[] all = new float[rows.length * columns(rows)];
    copy(rows, all);
    return Tensor.of(all, rows.length, columns(rows));
  }

  static Tensor of(long[][] rows) {
    long[] all = new long[rows.length * columns(rows)];
    copy(rows, all);
    return Tensor.of(all, rows.length, columns(rows));
  }

  private static int columns(Object[] rows) {
    return rows.length == 0 ? 0 : Array.getLength(rows[0]);
  }

  /* Rows one after the other, which arrays of any type can be. */
  private static void copy(Object[] rows, Object all) {
    int columns = columns(rows);
    for (int i = 0; i < rows.length; i++) {
      int length = Array.getLength(rows[i]);
      if (length != columns) {
        throw new IllegalArgumentException(
            "row " + i + " has " + length + " columns, and row 0 has " + columns);
      }
      System.arraycopy(rows[i], 0, all, i * columns, columns);
    }
  }

  /** What is at each place of the first axis, in one array. */
  static float[][] floats(Tensor tensor) {
    float[] all = tensor.floats();
    float[][] rows = new float[(int) tensor.shape()[0]][];
    for (int i = 0; i < rows.length; i++) {
      int columns = all.length / rows.length;
      rows[i] = Arrays.copyOfRange(all, i * columns, (i + 1) * columns);
    }
    return rows;
  }
}
