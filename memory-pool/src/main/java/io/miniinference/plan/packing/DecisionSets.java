package io.miniinference.plan.packing;

import java.util.Arrays;

/// Sets of decisions, each decision named by its depth in the search, from 1 up.
final class DecisionSets {
  private final int width;
  private final long[] words;

  DecisionSets(int sets, int mostDecisions) {
    width = mostDecisions / Long.SIZE + 1;
    words = new long[Math.multiplyExact(sets, width)];
  }

  /// Words of 64 bits per set.
  int width() {
    return width;
  }

  void clear(int set) {
    Arrays.fill(words, set * width, (set + 1) * width, 0);
  }

  void add(int set, int decision) {
    words[set * width + decision / Long.SIZE] |= 1L << decision;
  }

  void remove(int set, int decision) {
    words[set * width + decision / Long.SIZE] &= ~(1L << decision);
  }

  void addAll(int set, int from) {
    for (int w = 0; w < width; w++) {
      words[set * width + w] |= words[from * width + w];
    }
  }

  void copy(int from, int to) {
    System.arraycopy(words, from * width, words, to * width, width);
  }

  /// The deepest decision of the set, 0 if it is empty.
  int deepest(int set) {
    for (int w = width - 1; w >= 0; w--) {
      long word = words[set * width + w];
      if (word != 0) {
        return w * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(word);
      }
    }
    return 0;
  }

  void save(int set, long[] into, int at) {
    System.arraycopy(words, set * width, into, at, width);
  }

  void restore(int set, long[] from, int at) {
    System.arraycopy(from, at, words, set * width, width);
  }
}
