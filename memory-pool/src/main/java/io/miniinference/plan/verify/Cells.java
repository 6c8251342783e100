package io.miniinference.plan.verify;

import io.miniinference.plan.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A block cut into the fewest parts of which each array in it, at one batch size, takes some and
/// no other. Found as boxes of a [Grid], or else as runs of bytes; where both would be too many the
/// block is one cell and its arrays are not exact.
///
/// @param count number of cells
/// @param taken the cells of each array, in the order in which arrays were given
/// @param isExact whether arrays take whole cells. Otherwise there is one cell, and more than one
///   array may take parts of it.
record Cells(int count, List<BitSet> taken, boolean isExact) {
  /// Most cells of a block.
  private static final int MOST = 1 << 16;

  /// The cells of a block.
  ///
  /// @param arrays all that lie in it, each place once
  static Cells of(List<Array> arrays, long n) {
    List<Array> full = arrays.stream().filter(a -> !isEmpty(a, n)).toList();
    Cells cells =
        full.size() <= 1
            ? inOne(full, true)
            : boxes(full, n).or(() -> runs(full, n)).orElseGet(() -> inOne(full, false));
    return full.size() == arrays.size() ? cells : cells.withEmpty(arrays, n);
  }

  private static Cells inOne(List<Array> arrays, boolean isExact) {
    BitSet cell = new BitSet();
    cell.set(0);
    return new Cells(1, Collections.nCopies(arrays.size(), cell), isExact);
  }

  /* Arrays without elements take no cell. */
  private Cells withEmpty(List<Array> arrays, long n) {
    Iterator<BitSet> full = taken.iterator();
    List<BitSet> all =
        arrays.stream().map(a -> isEmpty(a, n) ? new BitSet() : full.next()).toList();
    return new Cells(count, all, isExact);
  }

  private static boolean isEmpty(Array array, long n) {
    return array.index().axes().stream().anyMatch(axis -> axis.extent().at(n) == 0);
  }

  private static Optional<Cells> boxes(List<Array> arrays, long n) {
    List<Grid.Strided> strided =
        arrays.stream().map(a -> new Grid.Strided(a.index(), a.elementBytes(), n)).toList();
    Optional<Grid> grid = Grid.of(strided);
    if (grid.isEmpty()) {
      return Optional.empty();
    }
    List<Grid.Range> ranges = new ArrayList<>();
    for (Grid.Strided array : strided) {
      Grid.@Nullable Range range = grid.get().range(array);
      if (range == null) {
        return Optional.empty();
      }
      ranges.add(range);
    }
    return cut(ranges, grid.get().widths().size());
  }

  private static Optional<Cells> cut(List<Grid.Range> ranges, int places) {
    List<long[]> cuts = new ArrayList<>();
    long count = 1;
    for (int place = 0; place < places; place++) {
      TreeSet<Long> ends = new TreeSet<>();
      for (Grid.Range range : ranges) {
        ends.add(range.starts()[place]);
        ends.add(range.starts()[place] + range.counts()[place]);
      }
      cuts.add(ends.stream().mapToLong(e -> e).toArray());
      count *= Math.max(1, ends.size() - 1);
      if (count > MOST) {
        return Optional.empty();
      }
    }
    List<BitSet> boxes = new ArrayList<>();
    for (Grid.Range range : ranges) {
      BitSet box = new BitSet();
      fill(box, range, cuts, 0, 0);
      boxes.add(box);
    }
    return Optional.of(new Cells((int) count, boxes, true));
  }

  private static void fill(BitSet box, Grid.Range range, List<long[]> cuts, int place, int number) {
    if (place == cuts.size()) {
      box.set(number);
      return;
    }
    long[] ends = cuts.get(place);
    int from = Arrays.binarySearch(ends, range.starts()[place]);
    int to = Arrays.binarySearch(ends, range.starts()[place] + range.counts()[place]);
    for (int i = from; i < to; i++) {
      fill(box, range, cuts, place + 1, number * Math.max(1, ends.length - 1) + i);
    }
  }

  private static Optional<Cells> runs(List<Array> arrays, long n) {
    List<ByteRuns> all = new ArrayList<>();
    TreeSet<Long> ends = new TreeSet<>();
    for (Array array : arrays) {
      ByteRuns runs = ByteRuns.of(array.index(), array.elementBytes(), n);
      all.add(runs);
      for (int i = 0; i < runs.count(); i++) {
        ends.add(runs.start(i));
        ends.add(runs.end(i));
      }
      if (!runs.isExact() || ends.size() > MOST) {
        return Optional.empty();
      }
    }
    long[] cuts = ends.stream().mapToLong(e -> e).toArray();
    List<BitSet> taken = all.stream().map(runs -> cells(runs, cuts)).toList();
    return Optional.of(new Cells(Math.max(1, cuts.length - 1), taken, true));
  }

  private static BitSet cells(ByteRuns runs, long[] cuts) {
    BitSet cells = new BitSet();
    for (int i = 0; i < runs.count(); i++) {
      cells.set(Arrays.binarySearch(cuts, runs.start(i)), Arrays.binarySearch(cuts, runs.end(i)));
    }
    return cells;
  }
}
