package io.miniinference.plan.packing;

import java.util.Arrays;
import java.util.stream.LongStream;

/// Time cut wherever a rectangle starts or ends, and which rectangles are live in each section.
///
/// ```
/// time     0    2    3        7    9
/// a        ███████████
/// b             ██████████████
/// c                           ██████
/// section  | 0  | 1  | 2      | 3  |
/// ```
final class Sections {
  private final int[] first;
  private final int[] end;
  private final int[][] live;

  private Sections(int[] first, int[] end, int[][] live) {
    this.first = first;
    this.end = end;
    this.live = live;
  }

  static Sections of(Instance instance) {
    long[] cuts = cuts(instance);
    int[] first = indices(cuts, instance.lower());
    int[] end = indices(cuts, instance.upper());
    int[] counts = new int[Math.max(0, cuts.length - 1)];
    for (int i = 0; i < first.length; i++) {
      for (int s = first[i]; s < end[i]; s++) {
        counts[s]++;
      }
    }
    int[][] live = Arrays.stream(counts).mapToObj(int[]::new).toArray(int[][]::new);
    for (int i = first.length - 1; i >= 0; i--) {
      for (int s = first[i]; s < end[i]; s++) {
        live[s][--counts[s]] = i;
      }
    }
    return new Sections(first, end, live);
  }

  /// How many entries the lists of live rectangles would have in all.
  static long memberships(Instance instance) {
    long[] cuts = cuts(instance);
    int[] first = indices(cuts, instance.lower());
    int[] end = indices(cuts, instance.upper());
    long entries = 0;
    for (int i = 0; i < first.length; i++) {
      entries += end[i] - first[i];
    }
    return entries;
  }

  private static long[] cuts(Instance instance) {
    return LongStream.concat(Arrays.stream(instance.lower()), Arrays.stream(instance.upper()))
        .sorted()
        .distinct()
        .toArray();
  }

  private static int[] indices(long[] cuts, long[] ticks) {
    return Arrays.stream(ticks).mapToInt(tick -> Arrays.binarySearch(cuts, tick)).toArray();
  }

  int count() {
    return live.length;
  }

  /// First section of a rectangle.
  int first(int rectangle) {
    return first[rectangle];
  }

  /// The section after the last one of a rectangle.
  int end(int rectangle) {
    return end[rectangle];
  }

  int span(int rectangle) {
    return end[rectangle] - first[rectangle];
  }

  /// The rectangles that are live in a section.
  int[] live(int section) {
    return live[section];
  }
}
