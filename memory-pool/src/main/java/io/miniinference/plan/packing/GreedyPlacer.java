package io.miniinference.plan.packing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Greedy packing: takes the rectangles one by one in some order and puts each into a gap between
/// those already placed that meet it in time: the tightest gap, or the lowest one.
///
/// By size with the tightest gap is the rule of Pisarchyk and Lee, *Efficient Memory Management for
/// Deep Neural Net Inference* (arXiv:2001.03288); the other orders win where long-lived small
/// rectangles sit in the way.
final class GreedyPlacer {
  private final Instance instance;
  private final Overlaps overlaps;

  GreedyPlacer(Instance instance, Overlaps overlaps) {
    this.instance = instance;
    this.overlaps = overlaps;
  }

  /// Which of the gaps that are large enough.
  enum Fit {
    TIGHTEST,
    LOWEST
  }

  /// The lowest packing of all orders with both fits, or the first whose peak is at most `goal`
  /// units. The first of equals, so that the answer depends on nothing but the input.
  long[] best(long goal) {
    long[] best = new long[instance.count()];
    long peak = Long.MAX_VALUE;
    for (Comparator<Integer> order : orders()) {
      int[] sorted = instance.sorted(order);
      for (Fit fit : Fit.values()) {
        long[] offsets = place(sorted, fit);
        if (instance.peak(offsets) < peak) {
          best = offsets;
          peak = instance.peak(offsets);
        }
        if (peak <= goal) {
          return best;
        }
      }
    }
    return best;
  }

  private List<Comparator<Integer>> orders() {
    Comparator<Integer> largest = Comparator.comparingLong(i -> -instance.size()[i]);
    Comparator<Integer> longest = Comparator.comparingLong(i -> -instance.duration(i));
    Comparator<Integer> earliest = Comparator.comparingLong(i -> instance.lower()[i]);
    Comparator<Integer> latest = Comparator.comparingLong(i -> -instance.upper()[i]);
    Comparator<Integer> widest =
        Comparator.comparingDouble(i -> -(double) instance.size()[i] * instance.duration(i));
    return List.of(
        largest.thenComparing(longest).thenComparing(earliest),
        widest.thenComparing(earliest),
        longest.thenComparing(largest).thenComparing(earliest),
        earliest.thenComparing(largest),
        latest.thenComparing(largest));
  }

  /// The order of an earlier packing from its bottom to its top.
  long[] like(long[] earlierOffsets) {
    return place(instance.sorted(Comparator.comparingLong(i -> earlierOffsets[i])), Fit.LOWEST);
  }

  long[] place(int[] order, Fit fit) {
    long[] offsets = new long[instance.count()];
    Arrays.fill(offsets, -1);
    for (int i : order) {
      offsets[i] = gap(i, offsets, fit);
    }
    return offsets;
  }

  /// The gap for a rectangle among its neighbours that have an offset; others have -1.
  long gap(int rectangle, long[] offsets, Fit fit) {
    int[] neighbours = overlaps.of(rectangle);
    long[] bottoms = new long[neighbours.length];
    long[] tops = new long[neighbours.length];
    int placed = 0;
    for (int n : neighbours) {
      if (offsets[n] >= 0) {
        bottoms[placed] = offsets[n];
        tops[placed++] = offsets[n] + instance.size()[n];
      }
    }
    Arrays.sort(bottoms, 0, placed);
    Arrays.sort(tops, 0, placed);
    return gap(instance.size()[rectangle], bottoms, tops, placed, fit);
  }

  /* Bottoms and tops are sorted each on their own: memory is free between the k-th top and the next
  bottom exactly if that bottom is the higher one, for then k rectangles are below and none is open. */
  private static long gap(long size, long[] bottoms, long[] tops, int placed, Fit fit) {
    long bestAt = placed == 0 ? 0 : tops[placed - 1];
    long bestGap = Long.MAX_VALUE;
    for (int k = 0; k < placed; k++) {
      long from = k == 0 ? 0 : tops[k - 1];
      long gap = bottoms[k] - from;
      if (gap >= size && gap < bestGap) {
        bestAt = from;
        bestGap = gap;
        if (fit == Fit.LOWEST) {
          break;
        }
      }
    }
    return bestAt;
  }
}
