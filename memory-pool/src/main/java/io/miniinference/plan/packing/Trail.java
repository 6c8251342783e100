package io.miniinference.plan.packing;

import java.util.Arrays;

/// What the search has overwritten and will put back: lowest offsets with their reasons.
final class Trail {
  private final long[] lowest;
  private final DecisionSets reasons;
  private int[] rectangles = new int[256];
  private long[] offsets = new long[256];
  private long[] words;
  private int size;

  Trail(long[] lowest, DecisionSets reasons) {
    this.lowest = lowest;
    this.reasons = reasons;
    words = new long[256 * reasons.width()];
  }

  int size() {
    return size;
  }

  void save(int rectangle) {
    if (size == rectangles.length) {
      rectangles = Arrays.copyOf(rectangles, 2 * size);
      offsets = Arrays.copyOf(offsets, 2 * size);
      words = Arrays.copyOf(words, 2 * words.length);
    }
    rectangles[size] = rectangle;
    offsets[size] = lowest[rectangle];
    reasons.save(rectangle, words, size * reasons.width());
    size++;
  }

  /// Puts the latest entry back.
  ///
  /// @return its rectangle
  int undo() {
    size--;
    int rectangle = rectangles[size];
    lowest[rectangle] = offsets[size];
    reasons.restore(rectangle, words, size * reasons.width());
    return rectangle;
  }
}
