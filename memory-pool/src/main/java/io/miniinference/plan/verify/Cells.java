package io.miniinference.plan.verify;

import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A block cut into the fewest parts of which each array in it, at one batch size, takes some and
/// no other. Found as boxes of a [Grid], or else as runs of bytes; where both would be too many the
/// block is one cell and its arrays are not exact.
final class Cells {
  /// Most cells of a block.
  private static final int MOST = 1 << 16;

  private final int count;
  private final boolean exact;
  private final Map<Key, BitSet> taken = new HashMap<>();

  private record Key(IndexFunction index, int elementBytes) {
    static Key of(Array array) {
      return new Key(array.index(), array.elementBytes());
    }
  }

  private Cells(int count, boolean exact) {
    this.count = count;
    this.exact = exact;
  }

  /// The cells of a block.
  ///
  /// @param arrays all that lie in it
  static Cells of(List<Array> arrays, long n) {
    List<Array> distinct = new ArrayList<>(distinct(arrays));
    distinct.removeIf(a -> isEmpty(a, n));
    Cells cells =
        boxes(distinct, n).or(() -> runs(distinct, n)).orElseGet(() -> new Cells(1, false));
    for (Array array : arrays) {
      cells.taken.computeIfAbsent(Key.of(array), _ -> cells.byDefault(array, n));
    }
    return cells;
  }

  private BitSet byDefault(Array array, long n) {
    BitSet all = new BitSet();
    all.set(0, exact || isEmpty(array, n) ? 0 : 1);
    return all;
  }

  private static List<Array> distinct(List<Array> arrays) {
    Map<Key, Array> distinct = new LinkedHashMap<>();
    arrays.forEach(a -> distinct.putIfAbsent(Key.of(a), a));
    return List.copyOf(distinct.values());
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
    return cut(arrays, ranges, grid.get().widths().size());
  }

  private static Optional<Cells> cut(List<Array> arrays, List<Grid.Range> ranges, int places) {
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
    Cells cells = new Cells((int) count, true);
    for (int i = 0; i < arrays.size(); i++) {
      BitSet box = new BitSet();
      fill(box, ranges.get(i), cuts, 0, 0);
      cells.taken.put(Key.of(arrays.get(i)), box);
    }
    return Optional.of(cells);
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
    Cells cells = new Cells(Math.max(1, cuts.length - 1), true);
    for (int i = 0; i < arrays.size(); i++) {
      cells.taken.put(Key.of(arrays.get(i)), cells(all.get(i), cuts));
    }
    return Optional.of(cells);
  }

  private static BitSet cells(ByteRuns runs, long[] cuts) {
    BitSet cells = new BitSet();
    for (int i = 0; i < runs.count(); i++) {
      cells.set(Arrays.binarySearch(cuts, runs.start(i)), Arrays.binarySearch(cuts, runs.end(i)));
    }
    return cells;
  }

  int count() {
    return count;
  }

  /// Whether arrays take whole cells. Otherwise there is one cell, and more than one array may take
  /// parts of it.
  boolean isExact() {
    return exact;
  }

  /// The cells of an array.
  BitSet of(Array array) {
    return Objects.requireNonNull(taken.get(Key.of(array)), "all arrays were given");
  }
}
