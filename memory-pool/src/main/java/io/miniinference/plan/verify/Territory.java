package io.miniinference.plan.verify;

import io.miniinference.layout.Axis;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Placement;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Where the arrays and blocks of a program are in the arena, at one batch size.
final class Territory {
  private final Program program;
  private final Placement placement;
  private final long n;
  private final Map<Integer, List<Array>> arrays = new HashMap<>();
  private final Map<Integer, Cells> cells = new HashMap<>();
  private final Map<Integer, Span> blocks = new HashMap<>();
  private final Map<Integer, List<Block>> neighbours = new HashMap<>();
  private final IdentityHashMap<Array, Span> spans = new IdentityHashMap<>();

  Territory(Program program, Placement placement, long n) {
    this.program = program;
    this.placement = placement;
    this.n = n;
    collect(program.body());
    arrays.forEach((block, inside) -> cells.put(block, Cells.of(inside, n)));
    findNeighbours();
  }

  private void collect(Body body) {
    collect(body.parameters());
    for (Step step : body.steps()) {
      collect(step.reads());
      collect(step.writes());
      step.bodies().forEach(this::collect);
    }
    collect(body.results());
  }

  private void collect(List<Array> all) {
    for (Array array : all) {
      if (array.block().isPlanned()) {
        arrays.computeIfAbsent(array.block().id(), _ -> new ArrayList<>()).add(array);
      }
    }
  }

  private boolean isPlaced(Block block) {
    return block.isPlanned() && placement.isPlaced(block);
  }

  /* Of blocks in the order of their addresses only those that begin before one ends can overlap it. */
  private void findNeighbours() {
    List<Block> placed = new ArrayList<>(program.blocks().stream().filter(this::isPlaced).toList());
    placed.forEach(block -> blocks.put(block.id(), located(block)));
    placed.sort(Comparator.comparingLong(block -> span(block).first()));
    for (int i = 0; i < placed.size(); i++) {
      Block block = placed.get(i);
      Span mine = span(block);
      for (int k = i + 1; k < placed.size() && span(placed.get(k)).first() < mine.end(); k++) {
        Block other = placed.get(k);
        if (mine.overlaps(span(other))) {
          neighbours.computeIfAbsent(block.id(), _ -> new ArrayList<>()).add(other);
          neighbours.computeIfAbsent(other.id(), _ -> new ArrayList<>()).add(block);
        }
      }
    }
  }

  /// Blocks that share addresses with this one.
  List<Block> neighbours(Block block) {
    return neighbours.getOrDefault(block.id(), List.of());
  }

  Holdings nothing() {
    return Holdings.of(
        program.blocks().stream()
            .map(b -> cells.containsKey(b.id()) ? cellsOf(b).count() : 1)
            .toList());
  }

  private Cells cellsOf(Block block) {
    return Objects.requireNonNull(cells.get(block.id()), "arrays lie in it");
  }

  /// The cells of an array in its block.
  BitSet cells(Array array) {
    return cellsOf(array.block()).of(array);
  }

  /// Whether each array of the block takes whole cells.
  boolean isExact(Block block) {
    return cellsOf(block).isExact();
  }

  void checkBlocks() {
    for (Block block : program.blocks()) {
      if (isPlaced(block) && span(block).end() > placement.plannedBytes()) {
        throw wrong(
            "block '%s' lies at %s, outside the arena of %d",
            block.name(), span(block), placement.plannedBytes());
      }
    }
  }

  /* Of a block with too many parts only what the program itself has there is believed. */
  void checkExact(Set<Integer> hosts) {
    for (Block block : program.blocks()) {
      if (hosts.contains(block.id()) && cells.containsKey(block.id()) && !isExact(block)) {
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
    Span known = blocks.get(block.id());
    return known == null ? located(block) : known;
  }

  private Span located(Block block) {
    if (!block.isPlanned()) {
      throw wrong("block '%s' lies with the weights, where nothing is written", block.name());
    }
    return new Span(0, block.sizeBytes().at(n)).shifted(placement.offsetBytes(block));
  }

  /// The array in the arena, or in the weights' block that it is a part of.
  Span span(Array array) {
    Span known = spans.get(array);
    if (known == null) {
      known = located(array);
      spans.put(array, known);
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
    if (!placement.isPlaced(array.block())) {
      throw wrong(
          "'%s' lies in block '%s', which has no place", array.name(), array.block().name());
    }
    return inside.shifted(placement.offsetBytes(array.block()));
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
    return placement.offsetBytes(array.block())
        + array.index().offset().at(batch) * array.elementBytes();
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
