package io.miniinference.plan.verify;

import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// The bytes of an array at one batch size: sorted, disjoint runs, relative to the start of its
/// block. An array that would take more than [#LIMIT] runs is held as the one range it spans, and
/// is then not exact.
///
/// Padding lanes of a blocked axis count as the array's.
final class ByteRuns {
  static final int LIMIT = 1 << 16;

  private final long[] starts;
  private final long[] ends;
  private final boolean exact;

  private ByteRuns(long[] starts, long[] ends, boolean exact) {
    this.starts = starts;
    this.ends = ends;
    this.exact = exact;
  }

  static ByteRuns of(IndexFunction index, int elementBytes, long n) {
    List<long[]> axes = new ArrayList<>();
    long first = index.offset().at(n);
    for (Axis axis : index.axes()) {
      long extent = axis.extent().at(n);
      if (extent == 0) {
        return new ByteRuns(new long[0], new long[0], true);
      }
      if (axis.isBlocked()) {
        first += add(axes, axis.blocks(), axis.outerStride().at(n));
        first += add(axes, axis.block(), axis.stride().at(n));
      } else {
        first += add(axes, extent, axis.stride().at(n));
      }
    }
    axes.sort(Comparator.comparingLong(a -> a[1]));
    return collapse(first, axes, elementBytes);
  }

  /* Adds an axis with a positive stride, and returns how far it reaches below the offset. */
  private static long add(List<long[]> axes, long extent, long stride) {
    if (extent > 1 && stride != 0) {
      axes.add(new long[] {extent, Math.abs(stride)});
    }
    return stride < 0 ? Math.multiplyExact(extent - 1, stride) : 0;
  }

  /* Inner axes that leave no gap become one run; the others are walked. */
  private static ByteRuns collapse(long first, List<long[]> axes, int elementBytes) {
    long run = 1;
    int dense = 0;
    while (dense < axes.size() && axes.get(dense)[1] <= run) {
      run = Math.addExact(run, reach(axes.get(dense++)));
    }
    List<long[]> sparse = axes.subList(dense, axes.size());
    long span = run;
    long count = 1;
    for (long[] axis : sparse) {
      span = Math.addExact(span, reach(axis));
      count = count > LIMIT ? count : Math.multiplyExact(count, axis[0]);
    }
    return count > LIMIT
        ? single(first, span, elementBytes, false)
        : walk(first, run, sparse, (int) count, elementBytes);
  }

  private static long reach(long[] axis) {
    return Math.multiplyExact(axis[0] - 1, axis[1]);
  }

  private static ByteRuns single(long first, long elements, int elementBytes, boolean exact) {
    long start = Math.multiplyExact(first, elementBytes);
    long end = Math.multiplyExact(Math.addExact(first, elements), elementBytes);
    return new ByteRuns(new long[] {start}, new long[] {end}, exact);
  }

  private static ByteRuns walk(
      long first, long run, List<long[]> axes, int count, int elementBytes) {
    if (count == 1) {
      return single(first, run, elementBytes, true);
    }
    long[] starts = new long[count];
    starts[0] = first;
    int filled = 1;
    for (long[] axis : axes) {
      int before = filled;
      for (long i = 1; i < axis[0]; i++) {
        for (int k = 0; k < before; k++) {
          starts[filled++] = starts[k] + i * axis[1];
        }
      }
    }
    Arrays.sort(starts);
    return merged(starts, run, elementBytes);
  }

  private static ByteRuns merged(long[] sorted, long run, int elementBytes) {
    long[] starts = new long[sorted.length];
    long[] ends = new long[sorted.length];
    int count = 0;
    for (long start : sorted) {
      long end = (start + run) * elementBytes;
      if (count > 0 && start * elementBytes <= ends[count - 1]) {
        ends[count - 1] = end;
      } else {
        starts[count] = start * elementBytes;
        ends[count++] = end;
      }
    }
    return new ByteRuns(Arrays.copyOf(starts, count), Arrays.copyOf(ends, count), true);
  }

  static ByteRuns range(long start, long end) {
    return start == end
        ? new ByteRuns(new long[0], new long[0], true)
        : new ByteRuns(new long[] {start}, new long[] {end}, true);
  }

  ByteRuns shifted(long bytes) {
    long[] from = starts.clone();
    long[] to = ends.clone();
    for (int i = 0; i < from.length; i++) {
      from[i] = Math.addExact(from[i], bytes);
      to[i] = Math.addExact(to[i], bytes);
    }
    return new ByteRuns(from, to, exact);
  }

  boolean isExact() {
    return exact;
  }

  boolean isEmpty() {
    return starts.length == 0;
  }

  int count() {
    return starts.length;
  }

  long start(int run) {
    return starts[run];
  }

  long end(int run) {
    return ends[run];
  }

  long first() {
    return starts[0];
  }

  long last() {
    return ends[ends.length - 1];
  }

  /// Whether the two share a byte; of arrays that are not exact, whether their spans do.
  boolean overlaps(ByteRuns other) {
    int i = 0;
    int j = 0;
    while (i < starts.length && j < other.starts.length) {
      if (ends[i] <= other.starts[j]) {
        i++;
      } else if (other.ends[j] <= starts[i]) {
        j++;
      } else {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return isEmpty() ? "no bytes" : "bytes " + first() + " to " + last();
  }
}
