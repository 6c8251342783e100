package io.miniinference.plan.verify;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Who wrote each byte of the arena last: an interval map from addresses to sets of owners. More
/// than one owner means that it depends on the path through branches and loops, or on elements that
/// were not looked at one by one.
final class ArenaMap {
  static final Set<Owner> UNWRITTEN = Set.of(Owner.NOBODY);

  private final NavigableMap<Long, Cell> cells;

  private record Cell(long end, Set<Owner> owners) {}

  /// Bytes `[start, end)` that share their owners.
  record Piece(long start, long end, Set<Owner> owners) {}

  ArenaMap() {
    this(new TreeMap<>());
  }

  private ArenaMap(NavigableMap<Long, Cell> cells) {
    this.cells = cells;
  }

  ArenaMap copy() {
    return new ArenaMap(new TreeMap<>(cells));
  }

  void put(long start, long end, Set<Owner> owners) {
    if (start < end) {
      cut(start);
      cut(end);
      cells.subMap(start, end).clear();
      cells.put(start, new Cell(end, owners));
    }
  }

  /// Replaces the owners of each piece of `[start, end)`.
  void change(long start, long end, UnaryOperator<Set<Owner>> change) {
    for (Piece piece : pieces(start, end)) {
      put(piece.start, piece.end, change.apply(piece.owners));
    }
  }

  private void cut(long at) {
    Map.Entry<Long, Cell> below = cells.lowerEntry(at);
    if (below != null && below.getValue().end > at) {
      cells.put(below.getKey(), new Cell(at, below.getValue().owners));
      cells.put(at, below.getValue());
    }
  }

  /// The bytes `[start, end)` in address order, unwritten ones included.
  List<Piece> pieces(long start, long end) {
    List<Piece> pieces = new ArrayList<>();
    long at = start;
    Long from = cells.floorKey(start);
    for (Map.Entry<Long, Cell> e :
        cells.subMap(from == null ? start : from, Math.max(start, end)).entrySet()) {
      long low = Math.max(start, e.getKey());
      long high = Math.min(end, e.getValue().end);
      if (low < high) {
        if (at < low) {
          pieces.add(new Piece(at, low, UNWRITTEN));
        }
        pieces.add(new Piece(low, high, e.getValue().owners));
        at = high;
      }
    }
    if (at < end) {
      pieces.add(new Piece(at, end, UNWRITTEN));
    }
    return pieces;
  }

  /// What is known if either of the two happened.
  ArenaMap join(ArenaMap other, long arenaBytes) {
    ArenaMap joined = new ArenaMap();
    for (Piece mine : pieces(0, arenaBytes)) {
      for (Piece theirs : other.pieces(mine.start, mine.end)) {
        joined.put(theirs.start, theirs.end, union(mine.owners, theirs.owners));
      }
    }
    return joined;
  }

  static Set<Owner> union(Set<Owner> a, Set<Owner> b) {
    if (a.equals(b)) {
      return a;
    }
    Set<Owner> both = new HashSet<>(a);
    both.addAll(b);
    return Set.copyOf(both);
  }

  /// Whether both say the same of each byte, however it is cut into pieces.
  boolean sameAs(ArenaMap other, long arenaBytes) {
    for (Piece mine : pieces(0, arenaBytes)) {
      for (Piece theirs : other.pieces(mine.start, mine.end)) {
        if (!mine.owners.equals(theirs.owners)) {
          return false;
        }
      }
    }
    return true;
  }
}
