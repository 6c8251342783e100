package io.miniinference.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Greedy packing of rectangles in time × address.
///
/// Each order takes the rectangles one by one and puts each into a gap between those already placed
/// that meet it in time: the tightest gap, or the lowest one. By size with the tightest gap is the
/// rule of Pisarchyk and Lee, *Efficient Memory Management for Deep Neural Net Inference*
/// (arXiv:2001.03288); the other orders win where long-lived small rectangles sit in the way. The
/// best result is kept, the first of equals, so that the answer depends on nothing but the input.
public final class RectanglePlacer {
  private final List<Rectangle> rectangles;
  private final int[][] neighbours;

  private RectanglePlacer(List<Rectangle> rectangles) {
    this.rectangles = rectangles;
    neighbours = neighbours(rectangles);
  }

  private enum Fit {
    TIGHTEST,
    LOWEST
  }

  /// The best packing found; every offset is a multiple of `alignmentBytes`.
  static Packing place(List<Rectangle> rectangles, long alignmentBytes) {
    List<Rectangle> aligned =
        rectangles.stream()
            .map(r -> new Rectangle(r.lower(), r.upper(), up(r.sizeBytes(), alignmentBytes)))
            .toList();
    return new RectanglePlacer(aligned).best();
  }

  private Packing best() {
    long bound = boundBytes(rectangles);
    Packing best = null;
    for (Comparator<Rectangle> order : orders()) {
      Integer[] sorted = sorted(order);
      for (Fit fit : Fit.values()) {
        Packing packing = inOrder(sorted, fit, bound);
        if (best == null || packing.peakBytes() < best.peakBytes()) {
          best = packing;
        }
        if (best.peakBytes() == bound) {
          return best;
        }
      }
    }
    return best == null ? new Packing(new long[0], 0, 0) : best;
  }

  private static List<Comparator<Rectangle>> orders() {
    Comparator<Rectangle> largest = Comparator.comparingLong(Rectangle::sizeBytes).reversed();
    Comparator<Rectangle> longest = Comparator.comparingLong(Rectangle::duration).reversed();
    Comparator<Rectangle> earliest = Comparator.comparingLong(Rectangle::lower);
    Comparator<Rectangle> widest =
        Comparator.<Rectangle>comparingDouble(r -> (double) r.sizeBytes() * r.duration())
            .reversed();
    return List.of(
        largest.thenComparing(longest).thenComparing(earliest),
        widest.thenComparing(earliest),
        longest.thenComparing(largest).thenComparing(earliest),
        earliest.thenComparing(largest),
        Comparator.comparingLong(Rectangle::upper).reversed().thenComparing(largest));
  }

  private Integer[] sorted(Comparator<Rectangle> order) {
    Integer[] sorted = new Integer[rectangles.size()];
    Arrays.setAll(sorted, i -> i);
    Arrays.sort(
        sorted,
        Comparator.<Integer, Rectangle>comparing(rectangles::get, order)
            .thenComparing(Comparator.naturalOrder()));
    return sorted;
  }

  private Packing inOrder(Integer[] order, Fit fit, long bound) {
    long[] offsets = new long[rectangles.size()];
    Arrays.fill(offsets, -1);
    long peak = 0;
    for (int i : order) {
      offsets[i] = gap(i, placedNeighbours(i, offsets), offsets, fit);
      peak = Math.max(peak, offsets[i] + rectangles.get(i).sizeBytes());
    }
    return new Packing(offsets, peak, bound);
  }

  private int[] placedNeighbours(int rectangle, long[] offsets) {
    return Arrays.stream(neighbours[rectangle])
        .filter(n -> offsets[n] >= 0)
        .boxed()
        .sorted(Comparator.comparingLong(n -> offsets[n]))
        .mapToInt(n -> n)
        .toArray();
  }

  private long gap(int rectangle, int[] placed, long[] offsets, Fit fit) {
    long size = rectangles.get(rectangle).sizeBytes();
    long bestAt = -1;
    long bestGap = Long.MAX_VALUE;
    long top = 0;
    for (int n : placed) {
      long gap = offsets[n] - top;
      if (gap >= size && gap < bestGap) {
        bestAt = top;
        bestGap = gap;
        if (fit == Fit.LOWEST) {
          return bestAt;
        }
      }
      top = Math.max(top, offsets[n] + rectangles.get(n).sizeBytes());
    }
    return bestAt >= 0 ? bestAt : top;
  }

  private static int[][] neighbours(List<Rectangle> rectangles) {
    int n = rectangles.size();
    List<List<Integer>> lists = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      lists.add(new ArrayList<>());
    }
    Integer[] byStart = new Integer[n];
    Arrays.setAll(byStart, i -> i);
    Arrays.sort(byStart, Comparator.comparingLong(i -> rectangles.get(i).lower()));
    List<Integer> open = new ArrayList<>();
    for (int i : byStart) {
      Rectangle now = rectangles.get(i);
      open.removeIf(o -> rectangles.get(o).upper() <= now.lower());
      for (int o : open) {
        lists.get(i).add(o);
        lists.get(o).add(i);
      }
      open.add(i);
    }
    int[][] result = new int[n][];
    Arrays.setAll(result, i -> lists.get(i).stream().mapToInt(x -> x).toArray());
    return result;
  }

  /// Most bytes needed at one time.
  static long boundBytes(List<Rectangle> rectangles) {
    List<long[]> events = new ArrayList<>();
    for (Rectangle r : rectangles) {
      events.add(new long[] {r.lower(), r.sizeBytes()});
      events.add(new long[] {r.upper(), -r.sizeBytes()});
    }
    events.sort(Comparator.<long[]>comparingLong(e -> e[0]).thenComparingLong(e -> e[1]));
    long live = 0;
    long most = 0;
    for (long[] event : events) {
      live = Math.addExact(live, event[1]);
      most = Math.max(most, live);
    }
    return most;
  }

  /// `value` rounded up to a multiple of `unit`.
  static long up(long value, long unit) {
    return Math.multiplyExact(Math.ceilDiv(value, unit), unit);
  }
}
