package io.miniinference.ops.ml;

import io.miniinference.ops.draft.LoweringFault;

/// The pairs of classes of support vectors: (0, 1), (0, 2), …, (1, 2), ….
final class SvmPairs {
  private final long[] counts;
  private final double[] weights;
  private final int classes;
  private final int vectors;

  /// @param counts support vectors of each class, which lie one class after the other
  /// @param weights `[classes − 1, vectors]`: of each vector what it weighs against each other
  ///   class
  SvmPairs(long[] counts, double[] weights) {
    this.counts = counts.clone();
    this.weights = weights;
    classes = counts.length;
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    long against = Math.max(1, classes - 1);
    if (weights.length % against != 0 || weights.length / against != sum) {
      throw LoweringFault.of(
          "has %,d coefficients for %,d support vectors of %d classes"
              .formatted(weights.length, sum, classes));
    }
    vectors = Math.toIntExact(sum);
  }

  /// How many pairs there are, where [#elements] are few enough to be held.
  int count() {
    return Math.toIntExact(pairs());
  }

  private long pairs() {
    return (long) classes * (classes - 1) / 2;
  }

  /// Elements of the larger of [#matrix] and [#sides].
  long elements() {
    long beside = Math.max(vectors, classes);
    return pairs() > Long.MAX_VALUE / beside ? Long.MAX_VALUE : pairs() * beside;
  }

  /// What makes sums of pairs of kernels: `[vectors, pairs]`. A vector counts in the pairs of its
  /// class, with its weight against the other one.
  double[] matrix() {
    double[] matrix = new double[Math.multiplyExact(vectors, count())];
    int pair = 0;
    int firstOfI = 0;
    for (int i = 0; i < classes; i++) {
      int firstOfJ = firstOfI + (int) counts[i];
      for (int j = i + 1; j < classes; j++) {
        fill(matrix, pair, firstOfI, (int) counts[i], j - 1);
        fill(matrix, pair, firstOfJ, (int) counts[j], i);
        firstOfJ += (int) counts[j];
        pair++;
      }
      firstOfI += (int) counts[i];
    }
    return matrix;
  }

  private void fill(double[] matrix, int pair, int first, int count, int against) {
    for (int vector = first; vector < first + count; vector++) {
      matrix[vector * count() + pair] = weights[against * vectors + vector];
    }
  }

  /// What a vote for the first of each pair adds to each class, `[pairs, classes]`: one to the
  /// first, and takes one from the second.
  double[] sides() {
    double[] sides = new double[Math.multiplyExact(count(), classes)];
    int pair = 0;
    for (int i = 0; i < classes; i++) {
      for (int j = i + 1; j < classes; j++) {
        sides[pair * classes + i] = 1;
        sides[pair * classes + j] = -1;
        pair++;
      }
    }
    return sides;
  }

  /// In how many pairs each class is the second.
  double[] asSecond() {
    double[] pairs = new double[classes];
    for (int i = 0; i < classes; i++) {
      pairs[i] = i;
    }
    return pairs;
  }
}
