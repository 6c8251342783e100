package io.miniinference.plan.packing;

import java.util.Arrays;
import java.util.Comparator;

/// Which rectangles meet in time: for each the list of its neighbours.
final class Overlaps {
  /* Lists of 64 MiB. */
  private static final long MOST_PAIRS = 1L << 23;

  private final Instance instance;
  private final int[][] lists;

  /// @param instance one that [#fit]s
  Overlaps(Instance instance) {
    this.instance = instance;
    lists = lists();
  }

  /// Whether there is room for the lists: not where nearly all of very many rectangles meet.
  static boolean fit(Instance instance) {
    return pairs(instance) <= MOST_PAIRS;
  }

  /* A rectangle meets those that started before it and have not ended. */
  private static long pairs(Instance instance) {
    long[] starts = instance.lower().clone();
    long[] ends = instance.upper().clone();
    Arrays.sort(starts);
    Arrays.sort(ends);
    long pairs = 0;
    int ended = 0;
    for (int started = 0; started < starts.length; started++) {
      while (ends[ended] <= starts[started]) {
        ended++;
      }
      pairs += started - ended;
    }
    return pairs;
  }

  /// All that meet the rectangle.
  int[] of(int rectangle) {
    return lists[rectangle];
  }

  private int[][] lists() {
    int n = instance.count();
    int[][] found = new int[n][4];
    int[] counts = new int[n];
    int[] open = new int[n];
    int opened = 0;
    for (int i : instance.sorted(Comparator.comparingLong(i -> instance.lower()[i]))) {
      int kept = 0;
      for (int k = 0; k < opened; k++) {
        int o = open[k];
        if (instance.upper()[o] > instance.lower()[i]) {
          open[kept++] = o;
          found[i] = with(found[i], counts[i]++, o);
          found[o] = with(found[o], counts[o]++, i);
        }
      }
      open[kept] = i;
      opened = kept + 1;
    }
    Arrays.setAll(found, i -> Arrays.copyOf(found[i], counts[i]));
    return found;
  }

  private static int[] with(int[] list, int at, int value) {
    int[] room = at < list.length ? list : Arrays.copyOf(list, 2 * at);
    room[at] = value;
    return room;
  }
}
