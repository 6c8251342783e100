package io.miniinference.plan.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Rectangles as arrays, their sizes in a unit that divides them all, so that every offset of a
/// packing without needless gaps is a whole number of units.
///
/// @param lower first tick of each, included
/// @param upper last tick of each, excluded
/// @param size height of each in units
@SuppressWarnings("ArrayRecordComponent") // never compared
record Instance(long[] lower, long[] upper, long[] size) {

  static Instance of(List<Rectangle> rectangles, long unitBytes) {
    return new Instance(
        rectangles.stream().mapToLong(Rectangle::lower).toArray(),
        rectangles.stream().mapToLong(Rectangle::upper).toArray(),
        rectangles.stream().mapToLong(r -> r.sizeBytes() / unitBytes).toArray());
  }

  int count() {
    return size.length;
  }

  long duration(int rectangle) {
    return upper[rectangle] - lower[rectangle];
  }

  boolean overlap(int a, int b) {
    return lower[a] < upper[b] && lower[b] < upper[a];
  }

  /// Those at the given places, in that order.
  Instance only(int[] which) {
    return new Instance(picked(lower, which), picked(upper, which), picked(size, which));
  }

  private static long[] picked(long[] from, int[] which) {
    return Arrays.stream(which).mapToLong(i -> from[i]).toArray();
  }

  /// All rectangles, sorted.
  int[] sorted(Comparator<Integer> order) {
    return IntStream.range(0, count())
        .boxed()
        .sorted(order.thenComparing(Comparator.naturalOrder()))
        .mapToInt(i -> i)
        .toArray();
  }

  /// One past the highest unit that is used at these offsets.
  long peak(long[] offsets) {
    return IntStream.range(0, count()).mapToLong(i -> offsets[i] + size[i]).max().orElse(0);
  }

  /// Most units live at one time: what no packing goes below.
  ///
  /// @throws ArithmeticException if they do not fit 64 bits
  long bound() {
    int[] starts = sorted(Comparator.comparingLong(i -> lower[i]));
    int[] ends = sorted(Comparator.comparingLong(i -> upper[i]));
    long live = 0;
    long most = 0;
    int ended = 0;
    for (int start : starts) {
      while (upper[ends[ended]] <= lower[start]) {
        live -= size[ends[ended++]];
      }
      live = Math.addExact(live, size[start]);
      most = Math.max(most, live);
    }
    return most;
  }

  /// Cuts time wherever nothing is live: each part can be packed without a look at the others.
  List<int[]> partsInTime() {
    int[] starts = sorted(Comparator.comparingLong(i -> lower[i]));
    List<int[]> parts = new ArrayList<>();
    int from = 0;
    long end = Long.MIN_VALUE;
    for (int k = 0; k < starts.length; k++) {
      if (k > from && lower[starts[k]] >= end) {
        parts.add(Arrays.copyOfRange(starts, from, k));
        from = k;
      }
      end = Math.max(end, upper[starts[k]]);
    }
    if (from < starts.length) {
      parts.add(Arrays.copyOfRange(starts, from, starts.length));
    }
    return parts;
  }
}
