package io.miniinference.plan.verify;

import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Byte addresses as digits of a mixed-radix number whose places are the strides of a block's
/// arrays: most arrays, strided or not, are then boxes, however many runs of bytes they have.
///
/// @param widths bytes from one digit to the next per place, largest first, the last one 1; each
///   divides the one before
record Grid(List<Long> widths) {

  /// An array as a range of digits per place.
  ///
  /// @param starts first digit
  /// @param counts number of digits
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Range(long[] starts, long[] counts) {}

  /* One axis of an array: so many steps of so many bytes. */
  private record Steps(long count, long bytes) {}

  /// An index function at one batch size and element size.
  record Strided(IndexFunction index, int elementBytes, long n) {

    /* The fewest: an axis that goes on where a smaller one ends is one with it, so that a part
    without gaps is one, whatever its axes. */
    private List<Steps> steps() {
      List<Steps> merged = new ArrayList<>();
      for (Steps next : axes()) {
        Steps last = merged.isEmpty() ? null : merged.getLast();
        if (last != null && last.bytes > 0 && next.bytes == last.count * last.bytes) {
          merged.set(merged.size() - 1, new Steps(last.count * next.count, last.bytes));
        } else {
          merged.add(next);
        }
      }
      return merged;
    }

    /* From the smallest on. */
    private List<Steps> axes() {
      List<Steps> steps = new ArrayList<>(List.of(new Steps(elementBytes, 1)));
      for (Axis axis : index.axes()) {
        if (axis.isBlocked()) {
          add(steps, axis.blocks(), axis.outerStride().at(n));
          add(steps, axis.block(), axis.stride().at(n));
        } else {
          add(steps, axis.extent().at(n), axis.stride().at(n));
        }
      }
      steps.sort(Comparator.comparingLong(s -> Math.abs(s.bytes)));
      return steps;
    }

    private void add(List<Steps> steps, long count, long stride) {
      if (count > 1 && stride != 0) {
        steps.add(new Steps(count, Math.multiplyExact(stride, elementBytes)));
      }
    }
  }

  /// The grid of all strides of some arrays, if each divides the next larger one.
  static Optional<Grid> of(List<Strided> arrays) {
    TreeSet<Long> widths = new TreeSet<>(Collections.reverseOrder());
    widths.add(1L);
    arrays.forEach(a -> a.steps().forEach(s -> widths.add(Math.abs(s.bytes))));
    List<Long> places = List.copyOf(widths);
    for (int i = 1; i < places.size(); i++) {
      if (places.get(i - 1) % places.get(i) != 0) {
        return Optional.empty();
      }
    }
    return Optional.of(new Grid(places));
  }

  private long radix(int place) {
    return place == 0 ? Long.MAX_VALUE : widths.get(place - 1) / widths.get(place);
  }

  /// The array as a box, if it is one.
  @Nullable Range range(Strided array) {
    List<Steps> steps = array.steps();
    long first = array.index.offset().at(array.n) * array.elementBytes;
    for (Steps s : steps) {
      first += s.bytes < 0 ? (s.count - 1) * s.bytes : 0;
    }
    Range range = new Range(new long[widths.size()], new long[widths.size()]);
    Arrays.fill(range.counts, 1);
    for (int i = 0; i < widths.size(); i++) {
      range.starts[i] = first / widths.get(i) % radix(i);
    }
    for (Steps s : steps) {
      if (first < 0 || !covers(range, widths.indexOf(Math.abs(s.bytes)), s.count)) {
        return null;
      }
    }
    return range;
  }

  /* Steps beyond a place's last digit go on at the next, if they fill whole places. */
  private boolean covers(Range range, int place, long count) {
    if (count == 1) {
      return true;
    }
    if (place < 0 || range.counts[place] != 1) {
      return false;
    }
    if (count <= radix(place) - range.starts[place]) {
      range.counts[place] = count;
      return true;
    }
    boolean whole = range.starts[place] == 0 && count % radix(place) == 0;
    range.counts[place] = radix(place);
    return whole && covers(range, place - 1, count / radix(place));
  }
}
