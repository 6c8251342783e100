package io.miniinference.interp.plain;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import java.util.Arrays;

/// The recurrent weights of a layer, by which the states of its steps are multiplied. They are read
/// once for all steps, turned, so that neighbours of a sum are neighbours here.
sealed interface RecurrentProducts {

  /// @param weights `[gates · hidden, hidden]`
  static RecurrentProducts of(TensorView weights) {
    int rows = Math.toIntExact(weights.dim(0));
    int depth = Math.toIntExact(weights.dim(1));
    return weights.element() == ElementType.F32
        ? new Floats(floats(weights, rows, depth), new float[rows], rows)
        : new Reals(reals(weights, rows, depth), rows);
  }

  private static float[] floats(TensorView weights, int rows, int depth) {
    float[] turned = new float[Math.multiplyExact(rows, depth)];
    for (int k = 0; k < depth; k++) {
      long stride = weights.strides().steps()[0];
      weights.floats(weights.offset(0, k), stride, turned, k * rows, rows);
    }
    return turned;
  }

  private static double[] reals(TensorView weights, int rows, int depth) {
    double[] turned = new double[Math.multiplyExact(rows, depth)];
    for (int i = 0; i < turned.length; i++) {
      turned[i] = weights.realAt(weights.offset(i % rows, i / rows));
    }
    return turned;
  }

  /// Puts the products of a state with the rows of the weights from `first` on, before `end`, into
  /// `sums` at the same places.
  void of(double[] state, int first, int end, double[] sums);

  /// Of `F32`: each product is fused with the sum so far, which is an `F32` from 0.
  @SuppressWarnings("ArrayRecordComponent")
  record Floats(float[] turned, float[] row, int rows) implements RecurrentProducts {
    @Override
    public void of(double[] state, int first, int end, double[] sums) {
      Arrays.fill(row, first, end, 0);
      for (int k = 0; k < state.length; k++) {
        add((float) state[k], k * rows, first, end);
      }
      for (int j = first; j < end; j++) {
        sums[j] = row[j];
      }
    }

    private void add(float factor, int from, int first, int end) {
      for (int j = first; j < end; j++) {
        row[j] = Math.fma(factor, turned[from + j], row[j]);
      }
    }
  }

  /// Of other floats: added up in double precision.
  @SuppressWarnings("ArrayRecordComponent")
  record Reals(double[] turned, int rows) implements RecurrentProducts {
    @Override
    public void of(double[] state, int first, int end, double[] sums) {
      Arrays.fill(sums, first, end, 0);
      for (int k = 0; k < state.length; k++) {
        for (int j = first; j < end; j++) {
          sums[j] += state[k] * turned[k * rows + j];
        }
      }
    }
  }
}
