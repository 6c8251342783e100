package io.miniinference.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The elements of a block that an index function reaches at one batch size, as sorted runs that do
/// not touch. The padding lanes of a blocked axis count as reached.
///
/// @param starts first element of each run
/// @param ends one past the last element of each run
@SuppressWarnings("ArrayRecordComponent") // never compared, and read by index only
public record ElementRuns(long[] starts, long[] ends) {

  private record Stride(long extent, long elements) {}

  /// The runs, or nothing if there are more than `limit`.
  public static Optional<ElementRuns> of(IndexFunction index, long n, int limit) {
    if (index.axes().stream().anyMatch(axis -> axis.extent().at(n) == 0)) {
      return Optional.of(new ElementRuns(new long[0], new long[0]));
    }
    List<Stride> strides = new ArrayList<>();
    index.axes().forEach(axis -> split(axis, n, strides));
    long lowest = index.offset().at(n);
    for (Stride stride : strides) {
      lowest += Math.min(0, (stride.extent - 1) * stride.elements);
    }
    strides.sort(Comparator.comparingLong(s -> Math.abs(s.elements)));
    return walk(lowest, strides, limit);
  }

  private static void split(Axis axis, long n, List<Stride> strides) {
    if (axis.isBlocked()) {
      strides.add(new Stride(axis.blocks(), axis.outerStride().at(n)));
      strides.add(new Stride(axis.block(), axis.stride().at(n)));
    } else {
      strides.add(new Stride(axis.extent().at(n), axis.stride().at(n)));
    }
  }

  private static Optional<ElementRuns> walk(long lowest, List<Stride> strides, int limit) {
    long[] starts = {lowest};
    long run = 1;
    for (Stride stride : strides) {
      long step = Math.abs(stride.elements);
      if (stride.extent == 1 || step == 0) {
        continue;
      }
      if (starts.length == 1 && step <= run) {
        run += (stride.extent - 1) * step;
      } else if (stride.extent > limit / starts.length) {
        return Optional.empty();
      } else {
        starts = repeated(starts, (int) stride.extent, step);
      }
    }
    return Optional.of(joined(starts, run));
  }

  private static long[] repeated(long[] starts, int times, long step) {
    long[] all = new long[starts.length * times];
    for (int i = 0; i < all.length; i++) {
      all[i] = starts[i % starts.length] + i / starts.length * step;
    }
    return all;
  }

  private static ElementRuns joined(long[] starts, long run) {
    Arrays.sort(starts);
    long[] ends = new long[starts.length];
    int count = 0;
    for (long start : starts) {
      if (count > 0 && start <= ends[count - 1]) {
        ends[count - 1] = start + run;
      } else {
        starts[count] = start;
        ends[count++] = start + run;
      }
    }
    return new ElementRuns(Arrays.copyOf(starts, count), Arrays.copyOf(ends, count));
  }

  public int count() {
    return starts.length;
  }

  /// Whether the element is in one of the runs.
  public boolean contains(long element) {
    int at = Arrays.binarySearch(starts, element);
    return at >= 0 || (at < -1 && element < ends[-at - 2]);
  }
}
