package io.miniinference.spring.ai;

import io.miniinference.ir.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a transformer made of texts.
///
/// @param hidden 32-bit floats of shape `[texts, tokens, size]`, or `[texts, size]`
record TokenVectors(Tensor hidden, Pooling pooling) {

  /// One vector of length 1 for each text.
  ///
  /// @param lengths tokens of each text
  List<float[]> perText(int[] lengths) {
    long[] shape = hidden.shape();
    if (shape.length != 2 && shape.length != 3) {
      throw new IllegalStateException(
          "vectors of texts are [texts, size] or [texts, tokens, size], not "
              + Arrays.toString(shape));
    }
    int size = (int) shape[shape.length - 1];
    int tokens = shape.length == 2 ? 1 : (int) shape[1];
    float[] all = hidden.floats();
    List<float[]> vectors = new ArrayList<>();
    for (int text = 0; text < lengths.length; text++) {
      int used = pooling == Pooling.FIRST ? 1 : Math.min(tokens, lengths[text]);
      vectors.add(unit(sum(all, text * tokens * size, used, size)));
    }
    return vectors;
  }

  private static double[] sum(float[] all, int from, int tokens, int size) {
    double[] sum = new double[size];
    for (int i = 0; i < tokens * size; i++) {
      sum[i % size] += all[from + i];
    }
    return sum;
  }

  /* A mean has the direction of its sum. A vector of zeros has none, and stays. */
  private static float[] unit(double[] vector) {
    double length = Math.sqrt(Arrays.stream(vector).map(v -> v * v).sum());
    float[] unit = new float[vector.length];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = (float) (length == 0 ? 0 : vector[i] / length);
    }
    return unit;
  }
}
