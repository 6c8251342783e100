package io.miniinference.plan.packing;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Best fit in order of time, as an allocator does it that cannot see ahead: what ends is given
/// back, what starts (larger ones first) takes the tightest gap, or the end of the arena.
final class OnlinePlacer {
  private final Instance instance;
  private final long[] offsets;
  private final TreeMap<Long, Long> topByBottom = new TreeMap<>();
  private final TreeSet<Gap> gaps =
      new TreeSet<>(Comparator.comparingLong(Gap::size).thenComparingLong(Gap::bottom));

  /* Free memory with something above it. */
  private record Gap(long bottom, long size) {}

  private OnlinePlacer(Instance instance) {
    this.instance = instance;
    offsets = new long[instance.count()];
  }

  static long[] place(Instance instance) {
    return new OnlinePlacer(instance).placed();
  }

  private long[] placed() {
    int[] ends = instance.sorted(Comparator.comparingLong(i -> instance.upper()[i]));
    int[] starts =
        instance.sorted(
            Comparator.<Integer>comparingLong(i -> instance.lower()[i])
                .thenComparingLong(i -> -instance.size()[i]));
    int ended = 0;
    for (int start : starts) {
      while (instance.upper()[ends[ended]] <= instance.lower()[start]) {
        free(ends[ended++]);
      }
      allocate(start);
    }
    return offsets;
  }

  private void allocate(int rectangle) {
    long size = instance.size()[rectangle];
    if (size == 0) {
      return;
    }
    Gap gap = gaps.ceiling(new Gap(0, size));
    if (gap == null) {
      offsets[rectangle] = top();
    } else {
      gaps.remove(gap);
      offsets[rectangle] = gap.bottom;
      addGap(gap.bottom + size, gap.size - size);
    }
    topByBottom.put(offsets[rectangle], offsets[rectangle] + size);
  }

  private long top() {
    return topByBottom.isEmpty() ? 0 : topByBottom.lastEntry().getValue();
  }

  private void free(int rectangle) {
    if (instance.size()[rectangle] == 0) {
      return;
    }
    long bottom = offsets[rectangle];
    long top = bottom + instance.size()[rectangle];
    topByBottom.remove(bottom);
    Map.Entry<Long, Long> below = topByBottom.lowerEntry(bottom);
    Long above = topByBottom.higherKey(bottom);
    long from = below == null ? 0 : below.getValue();
    gaps.remove(new Gap(from, bottom - from));
    if (above != null) {
      gaps.remove(new Gap(top, above - top));
      addGap(from, above - from);
    }
  }

  private void addGap(long bottom, long size) {
    if (size > 0) {
      gaps.add(new Gap(bottom, size));
    }
  }
}
