package io.miniinference.plan.packing;

import io.miniinference.plan.packing.GreedyPlacer.Fit;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How other engines place the same rectangles: what a plan is compared with, and never used.
public enum Baseline {
  /// TensorFlow Lite's arena planner: what lives all the time first, then by size, the largest
  /// first, each into the tightest gap (Pisarchyk and Lee, arXiv:2001.03288, algorithm 3).
  GREEDY_BY_SIZE {
    @Override
    long[] place(Instance instance) {
      if (!Overlaps.fit(instance)) {
        throw new IllegalArgumentException(
            "%d rectangles meet too many of each other for this rule".formatted(instance.count()));
      }
      long begin = Arrays.stream(instance.lower()).min().orElse(0);
      long end = Arrays.stream(instance.upper()).max().orElse(0);
      Comparator<Integer> order =
          Comparator.<Integer, Boolean>comparing(
                  i -> instance.lower()[i] > begin || instance.upper()[i] < end)
              .thenComparingLong(i -> -instance.size()[i])
              .thenComparingLong(i -> instance.lower()[i]);
      return new GreedyPlacer(instance, new Overlaps(instance))
          .place(instance.sorted(order), Fit.TIGHTEST);
    }
  },

  /// Best fit in order of execution, as ONNX Runtime's memory patterns do it.
  ONLINE_BEST_FIT {
    @Override
    long[] place(Instance instance) {
      return OnlinePlacer.place(instance);
    }
  },

  /// ONNX Runtime's two stages: a value takes over the buffer of one of equal size that has ended,
  /// the one that ended last, which keeps that buffer from its first to its last user; then best
  /// fit in order of execution places the buffers.
  ONLINE_BEST_FIT_WITH_REUSE {
    @Override
    long[] place(Instance instance) {
      int[] buffers = reuse(instance);
      long[] upper = instance.upper().clone();
      for (int i = 0; i < buffers.length; i++) {
        upper[buffers[i]] = Math.max(upper[buffers[i]], instance.upper()[i]);
      }
      long[] size = instance.size().clone();
      Arrays.setAll(size, i -> buffers[i] == i ? size[i] : 0);
      long[] offsets = OnlinePlacer.place(new Instance(instance.lower(), upper, size));
      return Arrays.stream(buffers).mapToLong(b -> offsets[b]).toArray();
    }
  };

  abstract long[] place(Instance instance);

  /// The packing by this rule.
  ///
  /// @throws IllegalArgumentException if too many rectangles meet each other for its lists
  public Packing pack(List<Rectangle> rectangles, long alignmentBytes) {
    Instance instance = Instance.of(Alignment.rounded(rectangles, alignmentBytes), alignmentBytes);
    long[] offsets = place(instance);
    return new Packing(
        Arrays.stream(offsets).map(o -> o * alignmentBytes).toArray(),
        instance.peak(offsets) * alignmentBytes,
        instance.bound() * alignmentBytes,
        SearchReport.NOT_NEEDED);
  }

  /* For each value the first user of its buffer. */
  private static int[] reuse(Instance instance) {
    int[] buffers = new int[instance.count()];
    Map<Long, Deque<Integer>> ended = new HashMap<>();
    int[] ends = instance.sorted(Comparator.comparingLong(i -> instance.upper()[i]));
    int next = 0;
    for (int start : instance.sorted(Comparator.comparingLong(i -> instance.lower()[i]))) {
      while (instance.upper()[ends[next]] <= instance.lower()[start]) {
        int end = ends[next++];
        ended.computeIfAbsent(instance.size()[end], s -> new ArrayDeque<>()).push(buffers[end]);
      }
      Deque<Integer> free = ended.get(instance.size()[start]);
      buffers[start] = free == null || free.isEmpty() ? start : free.pop();
    }
    return buffers;
  }
}
