package io.miniinference.ops.ml;

import java.util.stream.IntStream;

/// What the leaves of all trees say: entries of an output and a weight, those of a leaf next to
/// each other.
@SuppressWarnings("ArrayRecordComponent")
record TreeEnsembleLeaves(int[] first, int[] targets, double[] weights) {

  /// Entries in any order, those of one leaf in theirs.
  ///
  /// @param leaves how many leaves there are
  /// @param of the leaf of each entry, or −1 where it is of none
  static TreeEnsembleLeaves of(int leaves, int[] of, int[] targets, double[] weights) {
    int[] first = new int[leaves + 1];
    for (int leaf : of) {
      if (leaf >= 0) {
        first[leaf + 1]++;
      }
    }
    for (int leaf = 0; leaf < leaves; leaf++) {
      first[leaf + 1] += first[leaf];
    }
    int[] next = first.clone();
    int[] sortedTargets = new int[first[leaves]];
    double[] sortedWeights = new double[first[leaves]];
    for (int entry = 0; entry < of.length; entry++) {
      if (of[entry] >= 0) {
        int place = next[of[entry]]++;
        sortedTargets[place] = targets[entry];
        sortedWeights[place] = weights[entry];
      }
    }
    return new TreeEnsembleLeaves(first, sortedTargets, sortedWeights);
  }

  /// Entries of the leaf that has most of them.
  int most() {
    return IntStream.range(0, first.length - 1).map(this::count).max().orElse(0);
  }

  int first(int leaf) {
    return first[leaf];
  }

  int count(int leaf) {
    return first[leaf + 1] - first[leaf];
  }
}
