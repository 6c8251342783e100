package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The iteration over all elements of an array in memory order: outer loops become work items, the
/// rest are loops inside one, innermost last. A blocked axis is iterated as blocks and lanes.
final class Loops {
  /// About how many elements a work item should cover at most.
  private static final long ITEM_ELEMENTS = 4096;

  /// Elements below which a second worker costs more than it saves.
  private static final long GRAIN_ELEMENTS = 4096;

  /// One loop: a whole axis, or the blocks or lanes of a blocked one.
  record Loop(int axis, Part part, Affine extent, Affine stride, int block, String variable) {
    boolean isBatch() {
      return !extent.isConstant();
    }

    boolean hasWholeBlocks(int block) {
      return block > 1 && extent.isConstant() && !extent.isOpen() && extent.isMultipleOf(block);
    }

    /// A loop over a whole axis as one over its blocks, which are whole, and one over their lanes.
    List<Loop> inBlocks(int block) {
      Affine blocks = extent.dividedBy(block);
      return List.of(
          new Loop(axis, Part.BLOCKS, blocks, stride.times(block), block, "b" + axis),
          new Loop(axis, Part.LANES, Affine.of(block), stride, block, "l" + axis));
    }
  }

  enum Part {
    WHOLE,
    BLOCKS,
    LANES
  }

  private final IndexFunction index;
  private final List<Loop> loops;
  private final int firstInner;

  private Loops(IndexFunction index, List<Loop> loops, int firstInner) {
    this.index = index;
    this.loops = loops;
    this.firstInner = firstInner;
  }

  /// Loops over `index`.
  static Loops over(IndexFunction index) {
    List<Loop> loops = new ArrayList<>();
    for (int i = 0; i < index.rank(); i++) {
      split(i, index.axes().get(i), loops);
    }
    loops.sort(Comparator.comparingLong(Loops::weight).reversed());
    return new Loops(index, loops, firstInner(loops));
  }

  private static void split(int axis, Axis a, List<Loop> loops) {
    if (a.extent().isSingle()) {
      return;
    }
    if (!a.isBlocked()) {
      loops.add(new Loop(axis, Part.WHOLE, a.extent(), a.stride(), 1, "i" + axis));
      return;
    }
    Affine blocks = Affine.of(a.blocks());
    Affine lanes = Affine.of(a.block());
    loops.add(new Loop(axis, Part.BLOCKS, blocks, a.outerStride(), a.block(), "b" + axis));
    loops.add(new Loop(axis, Part.LANES, lanes, a.stride(), a.block(), "l" + axis));
  }

  /* Strides that grow with the batch are outside those that do not, and open ones outside those that
  are fixed; ties keep logical order. */
  private static long weight(Loop loop) {
    Affine stride = loop.stride();
    if (stride.isConstant()) {
      return Math.abs(stride.constant()) + (stride.isOpen() ? Long.MAX_VALUE / 4 : 0);
    }
    return Long.MAX_VALUE / 2 + Math.abs(stride.perBatch());
  }

  private static int firstInner(List<Loop> loops) {
    long elements = 1;
    int first = loops.size();
    while (first > 0 && !loops.get(first - 1).isBatch()) {
      long extent = Math.max(1, loops.get(first - 1).extent().typical());
      if (elements > 1 && elements * extent > ITEM_ELEMENTS) {
        break;
      }
      elements *= extent;
      first--;
    }
    return first;
  }

  /// The same with loops over lanes around those over whole axes, inside a work item; lanes end by
  /// their block, whose loop stays around them.
  Loops laneByLane() {
    List<Loop> all = new ArrayList<>(loops.subList(0, firstInner));
    for (Part part : List.of(Part.BLOCKS, Part.LANES, Part.WHOLE)) {
      inner().stream().filter(loop -> loop.part() == part).forEach(all::add);
    }
    return new Loops(index, all, firstInner);
  }

  /// All loops, outermost first.
  List<Loop> all() {
    return loops;
  }

  /// The loops inside a work item.
  List<Loop> inner() {
    return loops.subList(firstInner, loops.size());
  }

  /// Logical coordinates as texts over the loop variables.
  List<Coordinate> coordinates() {
    List<Coordinate> result = new ArrayList<>();
    for (int i = 0; i < index.rank(); i++) {
      Axis axis = index.axes().get(i);
      if (axis.extent().isSingle()) {
        result.add(Coordinate.ZERO);
      } else if (axis.isBlocked()) {
        result.add(Coordinate.split(axis.block(), "b" + i, "l" + i));
      } else {
        result.add(Coordinate.of("i" + i));
      }
    }
    return result;
  }

  /// Number of work items.
  Affine items() {
    Affine items = Affine.ONE;
    for (Loop loop : loops.subList(0, firstInner)) {
      items = items.times(loop.extent());
    }
    return items;
  }

  Launch.Items work() {
    return work(1);
  }

  /// @param weight how much more an element costs than an addition
  Launch.Items work(long weight) {
    long perItem = weight;
    for (Loop loop : inner()) {
      perItem *= Math.max(1, loop.extent().constant());
    }
    long grain = Math.max(1, Math.ceilDiv(GRAIN_ELEMENTS, Math.max(1, perItem)));
    return new Launch.Items(items(), (int) Math.min(grain, 1 << 20));
  }

  private static final Template ITEM =
      Template.of(
          "place of a work item",
          """
          long item = (long)@globalId + first;
          if (item >= $items) return;
          $coordinates
          """);

  private static final Template COORDINATE =
      Template.of(
          "coordinate of a work item",
          """
          const long $name = item % $extent;
          item /= $extent;
          """);

  private static final Template LOOP =
      Template.of(
          "loop along an axis",
          """
          for (long $name = 0; $name < $end; $name++) {
            $body
          }
          """);

  /// Statements that decode the work item into the outer loops' variables.
  String item() {
    StringBuilder coordinates = new StringBuilder();
    for (int i = firstInner - 1; i > 0; i--) {
      Loop loop = loops.get(i);
      coordinates
          .append(
              COORDINATE
                  .with("name", loop.variable())
                  .with("extent", IndexText.affine(loop.extent()))
                  .text())
          .append('\n');
    }
    if (firstInner > 0) {
      coordinates.append("const long " + loops.getFirst().variable() + " = item;");
    }
    return ITEM.with("items", IndexText.affine(items())).with("coordinates", coordinates).text();
  }

  /// The whole kernel of a work item that does `body` for each of its elements.
  String over(Object body) {
    return item() + "\n" + over(inner(), body);
  }

  /// `body` inside some loops, the first outermost.
  String over(List<Loop> loops, Object body) {
    String text = body.toString();
    for (Loop loop : loops.reversed()) {
      text = over(loop, text);
    }
    return text;
  }

  private String over(Loop loop, String body) {
    return LOOP.with("name", loop.variable()).with("end", end(loop)).with("body", body).text();
  }

  private static final Template LANES_LEFT =
      Template.of("lanes of a block", "min(${block}L, ${whole}L - b$axis*$block)");

  /// Text of the loop's end; lanes end where the axis does.
  String end(Loop loop) {
    long whole = loop.part() == Part.LANES ? index.axes().get(loop.axis()).extent().constant() : 0;
    if (loop.part() == Part.LANES && whole % loop.block() != 0) {
      return LANES_LEFT
          .with("block", loop.block())
          .with("whole", whole)
          .with("axis", loop.axis())
          .text();
    }
    return IndexText.affine(loop.extent());
  }
}
