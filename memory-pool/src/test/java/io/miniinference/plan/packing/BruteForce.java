package io.miniinference.plan.packing;

import java.util.Comparator;
import java.util.List;

/// The lowest peak of a few small rectangles, by trying all offsets of all of them: shares no idea
/// and no code with the search.
final class BruteForce {
  private final List<Rectangle> rectangles;
  private final long[] offsets;

  private BruteForce(List<Rectangle> rectangles) {
    this.rectangles =
        rectangles.stream().sorted(Comparator.comparingLong(Rectangle::lower)).toList();
    offsets = new long[rectangles.size()];
  }

  static long lowestPeakBytes(List<Rectangle> rectangles) {
    BruteForce all = new BruteForce(rectangles);
    long peak = rectangles.stream().mapToLong(Rectangle::sizeBytes).max().orElse(0);
    while (!all.fits(0, peak)) {
      peak++;
    }
    return peak;
  }

  private boolean fits(int i, long capacity) {
    if (i == offsets.length) {
      return true;
    }
    long highest = capacity - rectangles.get(i).sizeBytes();
    for (offsets[i] = 0; offsets[i] <= highest; offsets[i]++) {
      if (isFree(i) && fits(i + 1, capacity)) {
        return true;
      }
    }
    return false;
  }

  private boolean isFree(int i) {
    for (int j = 0; j < i; j++) {
      if (PackingCheck.collide(rectangles, offsets, i, j)) {
        return false;
      }
    }
    return true;
  }
}
