package io.miniinference.plan.verify;

import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The bytes from the first to the last that an array reaches, gaps included.
///
/// @param end one past the last byte; `first` if there are none
record Span(long first, long end) {

  /// The span of an array, relative to its block.
  static Span of(IndexFunction index, int elementBytes, long n) {
    long low = index.offset().at(n);
    long high = low;
    for (Axis axis : index.axes()) {
      long extent = axis.extent().at(n);
      if (extent == 0) {
        return new Span(0, 0);
      }
      long reach =
          axis.isBlocked()
              ? reach(axis.blocks(), axis.outerStride().at(n))
              : reach(extent, axis.stride().at(n));
      low = Math.addExact(low, Math.min(0, reach));
      high = Math.addExact(high, Math.max(0, reach));
      high = Math.addExact(high, axis.isBlocked() ? reach(axis.block(), axis.stride().at(n)) : 0);
    }
    return new Span(
        Math.multiplyExact(low, elementBytes),
        Math.multiplyExact(Math.addExact(high, 1), elementBytes));
  }

  /// Whether two indices of an array may be the same element: its axes do not lie one inside the
  /// other, each within one step of the next wider one.
  static boolean mayRepeat(IndexFunction index, long n) {
    List<long[]> loops = new ArrayList<>();
    for (Axis axis : index.axes()) {
      long extent = axis.extent().at(n);
      if (extent == 0) {
        return false;
      }
      long outer = axis.isBlocked() ? axis.blocks() : 1;
      loops.add(new long[] {outer, Math.abs(axis.outerStride().at(n))});
      long inner = axis.isBlocked() ? Math.min(extent, axis.block()) : extent;
      loops.add(new long[] {inner, Math.abs(axis.stride().at(n))});
    }
    loops.removeIf(loop -> loop[0] == 1);
    loops.sort(Comparator.comparingLong(loop -> loop[1]));
    long reach = 0;
    for (long[] loop : loops) {
      if (loop[1] <= reach) {
        return true;
      }
      reach = Math.addExact(reach, reach(loop[0], loop[1]));
    }
    return false;
  }

  private static long reach(long extent, long stride) {
    return Math.multiplyExact(extent - 1, stride);
  }

  Span shifted(long bytes) {
    return isEmpty() ? this : new Span(Math.addExact(first, bytes), Math.addExact(end, bytes));
  }

  boolean isEmpty() {
    return first == end;
  }

  boolean overlaps(Span other) {
    return !isEmpty() && !other.isEmpty() && first < other.end && other.first < end;
  }

  @Override
  public String toString() {
    return isEmpty() ? "no bytes" : "bytes " + first + " to " + end;
  }
}
