package example;

import io.miniinference.ir.Tensor;
import java.util.Arrays;

/** Arrays of arrays as tensors of two axes, and back. */
final class Rows {
  static Tensor of(float[][] rows) {
    int columns = rows.length == 0 ? 0 : rows[0].length;
    float[] all = new float[rows.length * columns];
    for (int i = 0; i < rows.length; i++) {
      requireColumns(columns, i, rows[i].length);
      System.arraycopy(rows[i], 0, all, i * columns, columns);
    }
    return Tensor.of(all, rows.length, columns);
  }

  static Tensor of(long[][] rows) {
    int columns = rows.length == 0 ? 0 : rows[0].length;
    long[] all = new long[rows.length * columns];
    for (int i = 0; i < rows.length; i++) {
      requireColumns(columns, i, rows[i].length);
      System.arraycopy(rows[i], 0, all, i * columns, columns);
    }
    return Tensor.of(all, rows.length, columns);
  }

  private static void requireColumns(int columns, int row, int length) {
    if (length != columns) {
      throw new IllegalArgumentException(
          "row " + row + " has " + length + " columns, and row 0 has " + columns);
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
