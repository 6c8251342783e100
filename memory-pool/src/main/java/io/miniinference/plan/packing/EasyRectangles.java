package io.miniinference.plan.packing;

import io.miniinference.plan.packing.GreedyPlacer.Fit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/// Rectangles for which there is room at a given capacity wherever all others lie, so that they can
/// be placed last.
///
/// A neighbour of height h keeps a rectangle of height g from h + g - 1 starts. If all neighbours
/// together cannot keep it from all of its capacity - g + 1 starts, it is easy; without it, others
/// may be.
final class EasyRectangles {
  private final Instance instance;
  private final Overlaps overlaps;
  private final long capacity;
  private final long[] blocked;
  private final boolean[] easy;
  private final List<Integer> leftOut = new ArrayList<>();

  private EasyRectangles(Instance instance, Overlaps overlaps, long capacity) {
    this.instance = instance;
    this.overlaps = overlaps;
    this.capacity = capacity;
    blocked = new long[instance.count()];
    easy = new boolean[instance.count()];
  }

  static EasyRectangles of(Instance instance, Overlaps overlaps, long capacity) {
    EasyRectangles easy = new EasyRectangles(instance, overlaps, capacity);
    easy.find();
    return easy;
  }

  /// All others, in their order.
  int[] core() {
    return IntStream.range(0, instance.count()).filter(i -> !easy[i]).toArray();
  }

  /// Places the easy ones between the others, the last left out first.
  void place(long[] offsets) {
    leftOut.forEach(i -> offsets[i] = -1);
    GreedyPlacer placer = new GreedyPlacer(instance, overlaps);
    leftOut.reversed().forEach(i -> offsets[i] = placer.gap(i, offsets, Fit.LOWEST));
  }

  private void find() {
    Arrays.setAll(
        blocked, i -> Arrays.stream(overlaps.of(i)).mapToLong(n -> startsTaken(i, n)).sum());
    Deque<Integer> waiting = new ArrayDeque<>();
    for (int i = 0; i < blocked.length; i++) {
      leaveOutIfEasy(i, waiting);
    }
    while (!waiting.isEmpty()) {
      int gone = waiting.remove();
      for (int n : overlaps.of(gone)) {
        blocked[n] -= startsTaken(n, gone);
        leaveOutIfEasy(n, waiting);
      }
    }
  }

  private long startsTaken(int rectangle, int neighbour) {
    return instance.size()[neighbour] + instance.size()[rectangle] - 1;
  }

  private void leaveOutIfEasy(int i, Deque<Integer> waiting) {
    if (!easy[i] && blocked[i] < capacity - instance.size()[i] + 1) {
      easy[i] = true;
      leftOut.add(i);
      waiting.add(i);
    }
  }
}
