package io.miniinference.bench.planner;

import io.miniinference.plan.packing.Alignment;
import io.miniinference.plan.packing.Rectangle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// How other engines place the same rectangles: what a plan is compared with.
enum Baseline {
  /// TensorFlow Lite's arena planner: what lives all the time first, then by size, the largest
  /// first, each into the tightest gap (Pisarchyk and Lee, arXiv:2001.03288, algorithm 3).
  GREEDY_BY_SIZE {
    @Override
    long[] place(List<Rectangle> all) {
      long begin = all.stream().mapToLong(Rectangle::lower).min().orElse(0);
      long end = all.stream().mapToLong(Rectangle::upper).max().orElse(0);
      return greedy(
          all,
          Comparator.<Rectangle, Boolean>comparing(r -> r.lower() > begin || r.upper() < end)
              .thenComparing(LARGEST)
              .thenComparingLong(Rectangle::lower));
    }
  },

  /// Best fit in order of execution, as ONNX Runtime's memory patterns do it.
  ONLINE_BEST_FIT {
    @Override
    long[] place(List<Rectangle> all) {
      return greedy(all, Comparator.comparingLong(Rectangle::lower).thenComparing(LARGEST));
    }
  },

  /// ONNX Runtime's two stages: a value takes over the buffer of one of equal size that has ended,
  /// the one that ended last, which keeps that buffer from its first to its last user; then best
  /// fit in order of execution places the buffers.
  ONLINE_BEST_FIT_WITH_REUSE {
    @Override
    long[] place(List<Rectangle> all) {
      int[] buffers = reuse(all);
      List<Rectangle> held = new ArrayList<>(all);
      for (int i = 0; i < buffers.length; i++) {
        Rectangle first = held.get(buffers[i]);
        long upper = Math.max(first.upper(), all.get(i).upper());
        held.set(buffers[i], new Rectangle(first.lower(), upper, first.sizeBytes()));
        if (buffers[i] != i) {
          held.set(i, new Rectangle(all.get(i).lower(), all.get(i).upper(), 0));
        }
      }
      long[] offsets = ONLINE_BEST_FIT.place(held);
      return IntStream.of(buffers).mapToLong(b -> offsets[b]).toArray();
    }
  };

  private static final Comparator<Rectangle> LARGEST =
      Comparator.comparingLong(r -> -r.sizeBytes());

  abstract long[] place(List<Rectangle> all);

  /// Where this rule puts each of the rectangles.
  long[] offsets(List<Rectangle> rectangles, long alignmentBytes) {
    return place(rounded(rectangles, alignmentBytes));
  }

  /// How many bytes it takes.
  long peakBytes(List<Rectangle> rectangles, long alignmentBytes) {
    List<Rectangle> all = rounded(rectangles, alignmentBytes);
    long[] offsets = place(all);
    return IntStream.range(0, offsets.length)
        .mapToLong(i -> offsets[i] + all.get(i).sizeBytes())
        .max()
        .orElse(0);
  }

  private static List<Rectangle> rounded(List<Rectangle> all, long unit) {
    return all.stream()
        .map(r -> new Rectangle(r.lower(), r.upper(), Alignment.up(r.sizeBytes(), unit)))
        .toList();
  }

  /// Each in some order into the tightest gap between those before it that live at its time.
  private static long[] greedy(List<Rectangle> all, Comparator<Rectangle> order) {
    long[] offsets = new long[all.size()];
    List<Integer> placed = new ArrayList<>();
    for (int i : sorted(all, order)) {
      List<Integer> neighbours =
          placed.stream()
              .filter(p -> all.get(p).overlaps(all.get(i)))
              .sorted(Comparator.comparingLong(p -> offsets[p]))
              .toList();
      offsets[i] = tightest(all.get(i).sizeBytes(), neighbours, all, offsets);
      placed.add(i);
    }
    return offsets;
  }

  /// @param neighbours from the bottom to the top
  private static long tightest(
      long size, List<Integer> neighbours, List<Rectangle> all, long[] offsets) {
    long top = 0;
    long best = -1;
    long bestGap = Long.MAX_VALUE;
    for (int n : neighbours) {
      long gap = offsets[n] - top;
      if (gap >= size && gap < bestGap) {
        best = top;
        bestGap = gap;
      }
      top = Math.max(top, offsets[n] + all.get(n).sizeBytes());
    }
    return best < 0 ? top : best;
  }

  /* For each value the first user of its buffer. */
  private static int[] reuse(List<Rectangle> all) {
    int[] buffers = new int[all.size()];
    Map<Long, Deque<Integer>> ended = new HashMap<>();
    int[] ends = sorted(all, Comparator.comparingLong(Rectangle::upper));
    int next = 0;
    for (int start : sorted(all, Comparator.comparingLong(Rectangle::lower))) {
      while (all.get(ends[next]).upper() <= all.get(start).lower()) {
        int end = ends[next++];
        ended.computeIfAbsent(all.get(end).sizeBytes(), _ -> new ArrayDeque<>()).push(buffers[end]);
      }
      Deque<Integer> free = ended.get(all.get(start).sizeBytes());
      buffers[start] = free == null || free.isEmpty() ? start : free.pop();
    }
    return buffers;
  }

  private static int[] sorted(List<Rectangle> all, Comparator<Rectangle> order) {
    return IntStream.range(0, all.size())
        .boxed()
        .sorted(Comparator.comparing(all::get, order))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
