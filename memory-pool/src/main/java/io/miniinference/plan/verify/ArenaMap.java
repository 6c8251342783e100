package io.miniinference.plan.verify;

import io.miniinference.layout.Axis;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Program;
import io.miniinference.plan.planner.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where the arrays and blocks of a program are in the arena, at one batch size.
final class ArenaMap {
  private final Program program;
  private final Inventory inventory;
  private final Placement placement;
  private final long n;
  private final List<Block> ranked;
  private final long[] offsets;
  private final int[] ranks;
  private final Span[] blocks;
  private final long[] reaches;
  private final Cells[] cells;
  private final BitSet[] cellsOfPlaces;
  private final @Nullable Span[] spans;

  ArenaMap(Program program, Inventory inventory, Placement placement, long n) {
    this.program = program;
    this.inventory = inventory;
    this.placement = placement;
    this.n = n;
    ranked = new ArrayList<>(program.blocks().stream().filter(this::isPlaced).toList());
    offsets = offsets();
    ranked.sort(Comparator.comparingLong(this::offset));
    ranks = new int[program.blocks().size()];
    blocks = new Span[ranked.size()];
    reaches = new long[ranked.size()];
    cells = new Cells[ranked.size()];
    cellsOfPlaces = new BitSet[inventory.places()];
    Arrays.fill(ranks, -1);
    Arrays.setAll(cellsOfPlaces, _ -> new BitSet());
    spans = new Span[inventory.places()];
    for (int rank = 0; rank < ranked.size(); rank++) {
      add(ranked.get(rank), rank);
    }
  }

  private void add(Block block, int rank) {
    ranks[block.id()] = rank;
    blocks[rank] = new Span(0, block.sizeBytes().at(n)).shifted(offset(block));
    reaches[rank] = Math.max(rank == 0 ? 0 : reaches[rank - 1], blocks[rank].end());
    List<Integer> places = inventory.places(block.id());
    cells[rank] = Cells.of(places.stream().map(inventory::at).toList(), n);
    for (int i = 0; i < places.size(); i++) {
      cellsOfPlaces[places.get(i)] = cells[rank].taken().get(i);
    }
  }

  private boolean isPlaced(Block block) {
    return block.isMoving() || (block.isPlanned() && placement.isPlaced(block));
  }

  /* What moves has bytes of its own, outside the arena: that a row of the current iteration is also
  one of all rows is of no matter until it is theirs. */
  private long[] offsets() {
    long[] offsets = new long[program.blocks().size()];
    long end = placement.plannedBytes();
    for (Block block : ranked) {
      offsets[block.id()] = block.isMoving() ? end : placement.offsetBytes(block);
      end = block.isMoving() ? Math.addExact(end, block.sizeBytes().at(n)) : end;
    }
    return offsets;
  }

  private long offset(Block block) {
    return offsets[block.id()];
  }

  /// The number of a block among all placed ones in the order of their addresses; −1 for others.
  int rank(Block block) {
    return ranks[block.id()];
  }

  ByteOwners nothing() {
    return ByteOwners.of(
        ranked.stream().mapToInt(Block::id).toArray(),
        Arrays.stream(cells).mapToInt(Cells::count).toArray());
  }

  /// The ranks of the live blocks that have an address of the span.
  ///
  /// @param live ranks
  BitSet in(Span span, BitSet live) {
    BitSet found = new BitSet();
    int rank = live.previousSetBit(below(span.end()) - 1);
    while (rank >= 0 && reaches[rank] > span.first()) {
      if (span.overlaps(blocks[rank])) {
        found.set(rank);
      }
      rank = rank == 0 ? -1 : live.previousSetBit(rank - 1);
    }
    return found;
  }

  /* How many blocks begin below an address. */
  private int below(long address) {
    int from = 0;
    int to = blocks.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (blocks[middle].first() < address) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /// The cells of an array in its block.
  BitSet cells(Array array) {
    return cellsOfPlaces[inventory.place(array)];
  }

  /// Whether each array of the block takes whole cells.
  boolean isExact(Block block) {
    int rank = rank(block);
    return rank < 0 || cells[rank].isExact();
  }

  void checkBlocks() {
    for (Block block : ranked) {
      if (!block.isMoving() && span(block).end() > placement.plannedBytes()) {
        throw wrong(
            "block '%s' lies at %s, outside the arena of %d",
            block.name(), span(block), placement.plannedBytes());
      }
    }
  }

  /* Of a block with too many parts only what the program itself has there is believed. */
  void checkExact(Set<Integer> hosts) {
    for (Block block : ranked) {
      if (hosts.contains(block.id()) && !isExact(block)) {
        throw wrong("block '%s' has too many parts to follow each", block.name());
      }
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  VerificationException wrong(String text, Object... details) {
    return new VerificationException(
        "plan of '%s' at batch %d: %s".formatted(program.name(), n, text.formatted(details)));
  }

  /// The whole block in the arena.
  Span span(Block block) {
    if (!block.isPlanned()) {
      throw wrong("block '%s' lies with the weights, where nothing is written", block.name());
    }
    int rank = rank(block);
    if (rank < 0) {
      throw wrong("block '%s' has no place", block.name());
    }
    return blocks[rank];
  }

  /// The array in the arena, or in the weights' block that it is a part of.
  Span span(Array array) {
    int place = inventory.place(array);
    Span known = spans[place];
    if (known == null) {
      known = located(array);
      spans[place] = known;
    }
    return known;
  }

  private Span located(Array array) {
    Span inside = Span.of(array.index(), array.elementBytes(), n);
    long size = array.block().sizeBytes().at(n);
    if (!inside.isEmpty() && (inside.first() < 0 || inside.end() > size)) {
      throw wrong(
          "'%s' takes %s of block '%s', which has %d bytes",
          array.name(), inside, array.block().name(), size);
    }
    if (!array.block().isPlanned()) {
      return inside;
    }
    if (rank(array.block()) < 0) {
      throw wrong(
          "'%s' lies in block '%s', which has no place", array.name(), array.block().name());
    }
    return inside.shifted(offset(array.block()));
  }

  /// Checks that each iteration has a row of its own: rows lie without gaps, as long as the window.
  void checkWindow(LoopBuffers.Window window) {
    Array rows = window.rows();
    long bytes = Math.multiplyExact(rows.index().elements().at(n), rows.elementBytes());
    long iterations = rows.index().shape().getFirst().at(n);
    long row = window.block().sizeBytes().at(n);
    if (!rows.index().hasRowMajorStrides() || Math.multiplyExact(row, iterations) != bytes) {
      throw wrong(
          "'%s', %d bytes of each iteration, is no row of '%s' at %s",
          window.block().name(), row, rows.name(), span(rows));
    }
  }

  /// Whether two indices of the array may be the same element.
  boolean mayRepeat(Array array) {
    return Span.mayRepeat(array.index(), n);
  }

  /// Whether the two share bytes. Of one block in which not all arrays take whole cells that is
  /// only known of those that are the same.
  boolean overlap(Array a, Array b) {
    if (!a.block().isPlanned() || !b.block().isPlanned() || !span(a).overlaps(span(b))) {
      return false;
    }
    if (a.block().id() != b.block().id()) {
      return true;
    }
    return isExact(a.block()) && cells(a).intersects(cells(b));
  }

  /// Whether each index is the same bytes in both, at this batch and at all smaller ones.
  boolean samePlace(Array a, Array b) {
    return a.elementBytes() == b.elementBytes()
        && a.index().rank() == b.index().rank()
        && start(a, n) == start(b, n)
        && start(a, n - 1) == start(b, n - 1)
        && sameStrides(a.index().axes(), b.index().axes());
  }

  private long start(Array array, long batch) {
    return offset(array.block()) + array.offsetBytes().at(batch);
  }

  private boolean sameStrides(List<Axis> a, List<Axis> b) {
    for (int i = 0; i < a.size(); i++) {
      Axis x = a.get(i);
      boolean single = x.extent().at(n) <= 1 && !x.isBlocked();
      boolean same =
          single
              ? x.extent().equals(b.get(i).extent()) && !b.get(i).isBlocked()
              : x.equals(b.get(i));
      if (!same) {
        return false;
      }
    }
    return true;
  }
}
