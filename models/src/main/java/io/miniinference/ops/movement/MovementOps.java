package io.miniinference.ops.movement;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.le;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mod;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/// Elements at other places: views where indices are only renamed, expressions where the place is
/// computed.
public final class MovementOps {
  private MovementOps() {}

  public static void addTo(OpTable table) {
    table
        .row("Transpose", 1, "1", "perm", MovementOps::transpose)
        .row("Concat", 1, "1-*", "axis=1", MovementOps::concat)
        .row("Concat", 4, "1-*", "axis", MovementOps::concat)
        .rows("Split", 1, "1-2", "axis=0 split", MovementOps::earlySplit)
        .rows("Split", 2, "1", "axis=0 split", c -> split(c, c.attrInts("split")))
        .rows("Split", 13, "1-2", "axis=0 num_outputs", MovementOps::splitByInput)
        .row("Slice", 1, "1", "axes starts ends", SliceRule::byAttributes)
        .row("Slice", 10, "3-5", "", SliceRule::byInputs)
        .row("Tile", 1, "3", "", MovementOps::tileOneAxis)
        .row("Tile", 6, "2", "", c -> tile(c, Sizes.dimensions(c.sizes(1))))
        .row("DepthToSpace", 1, "1", "blocksize mode=DCR", MovementOps::depthToSpace)
        .row("SpaceToDepth", 1, "1", "blocksize mode=DCR", MovementOps::spaceToDepth)
        .row("Trilu", 14, "1-2", "upper=1", MovementOps::triangle)
        .row("ReverseSequence", 10, "2", "batch_axis=1 time_axis=0", MovementOps::reverse);
  }

  private static Value transpose(OpContext c) {
    int rank = c.rank(0);
    long[] given = c.attrInts("perm");
    List<Integer> reversed = IntStream.range(0, rank).mapToObj(i -> rank - 1 - i).toList();
    boolean isDefault = given.length == 0 && !c.hasAttr("perm");
    return c.transpose(
        c.in(0),
        isDefault
            ? reversed
            : Arrays.stream(given).mapToObj(axis -> OpContext.axis(axis, rank)).toList());
  }

  private static Value concat(OpContext c) {
    int axis = c.attrAxis("axis", c.rank(0));
    List<Value> parts = List.of(c.all());
    boolean isAlong = parts.stream().anyMatch(part -> c.countedAt(part, axis).isPresent());
    return isAlong && parts.size() > 1
        ? new Positions(c).joined(axis, parts)
        : c.concat(axis, parts);
  }

  private static List<Value> split(OpContext c, long[] sizes) {
    int axis = c.attrAxis("axis", c.rank(0));
    List<Affine> parts =
        sizes.length == 0
            ? evenParts(c.type(0).dim(axis), c.outputs(), false)
            : Arrays.stream(sizes).mapToObj(Affine::of).toList();
    return parts(c, axis, parts);
  }

  /// Before opset 2: by an input, by an attribute, or evenly.
  private static List<Value> earlySplit(OpContext c) {
    return c.has(1)
        ? parts(c, c.attrAxis("axis", c.rank(0)), c.sizes(1))
        : split(c, c.attrInts("split"));
  }

  private static List<Value> splitByInput(OpContext c) {
    int axis = c.attrAxis("axis", c.rank(0));
    if (c.has(1)) {
      return parts(c, axis, c.sizes(1));
    }
    boolean counted = c.hasAttr("num_outputs");
    int most = Math.max(1 << 16, c.outputs());
    int count = counted ? (int) Math.clamp(c.attrInt("num_outputs"), 1, most) : c.outputs();
    return parts(c, axis, evenParts(c.type(0).dim(axis), count, counted));
  }

  /// Equal sizes; the last one is smaller where that is allowed.
  private static List<Affine> evenParts(Affine extent, int count, boolean lastSmaller) {
    if (extent.isMultipleOf(count)) {
      return Collections.nCopies(count, extent.dividedBy(count));
    }
    if (!lastSmaller || !extent.isConstant()) {
      throw LoweringFault.of("cannot split %s into %d equal parts".formatted(extent, count));
    }
    long size = Math.ceilDiv(extent.constant(), count);
    List<Affine> parts = new ArrayList<>(Collections.nCopies(count - 1, Affine.of(size)));
    parts.add(extent.minus(Affine.of(size * (count - 1))));
    return parts;
  }

  private static List<Value> parts(OpContext c, int axis, List<Affine> sizes) {
    Affine total = sizes.stream().reduce(Affine.ZERO, Affine::plus);
    if (!total.equals(c.type(0).dim(axis))) {
      throw LoweringFault.of(
          "splits axis %d of %s into %s, which does not add up".formatted(axis, c.type(0), sizes));
    }
    List<Affine> dimensions =
        IntStream.range(0, sizes.size())
            .mapToObj(i -> Sizes.dimension(sizes.get(i), axis, i))
            .toList();
    return c.parts(c.in(0), axis, dimensions);
  }

  /// Before opset 6: along the axis that input 2 is, as often as input 1 is.
  private static Value tileOneAxis(OpContext c) {
    List<Affine> repeats = new ArrayList<>(Collections.nCopies(c.rank(0), Affine.ONE));
    repeats.set(OpContext.axis(c.int1(2), c.rank(0)), c.size1(1));
    return tile(c, Sizes.dimensions(repeats));
  }

  private static Value tile(OpContext c, List<Affine> repeats) {
    List<Affine> shape = c.type(0).shape();
    if (repeats.size() != shape.size()) {
      throw LoweringFault.of("has repeats %s for %s".formatted(repeats, c.type(0)));
    }
    var target = new ArrayList<Affine>();
    var coordinates = new ArrayList<Expr>();
    boolean view = true;
    for (int axis = 0; axis < shape.size(); axis++) {
      Affine extent = shape.get(axis);
      boolean once = repeats.get(axis).equals(Affine.ONE);
      target.add(Sizes.dimension(extent.times(repeats.get(axis)), axis));
      coordinates.add(once ? index(axis) : mod(index(axis), Ex.size(extent)));
      view &= once || extent.equals(Affine.ONE);
    }
    if (view) {
      return c.expand(c.in(0), target);
    }
    return shape.stream().allMatch(Affine::isConstant)
        ? copies(c, repeats, target)
        : c.compute(at(0, coordinates), target, c.in(0));
  }

  /* Each axis of several copies as two: which copy, and what it is of. */
  private static Value copies(OpContext c, List<Affine> repeats, List<Affine> target) {
    List<Affine> one = new ArrayList<>();
    List<Affine> all = new ArrayList<>();
    for (int axis = 0; axis < target.size(); axis++) {
      if (!repeats.get(axis).equals(Affine.ONE)) {
        one.add(Affine.ONE);
        all.add(repeats.get(axis));
      }
      one.add(c.type(0).dim(axis));
      all.add(c.type(0).dim(axis));
    }
    return c.reshape(c.expand(c.reshape(c.in(0), one), all), target);
  }

  private static Value depthToSpace(OpContext c) {
    boolean depthFirst = c.attrOneOf("mode", "DCR", "CRD").equals("DCR");
    long b = blockSize(c);
    List<Affine> s = image(c);
    Affine block = Affine.of(b);
    Affine channels = s.get(1).dividedBy(b * b);
    List<Affine> split =
        depthFirst
            ? List.of(s.get(0), block, block, channels, s.get(2), s.get(3))
            : List.of(s.get(0), channels, block, block, s.get(2), s.get(3));
    List<Integer> order = depthFirst ? List.of(0, 3, 4, 1, 5, 2) : List.of(0, 1, 4, 2, 5, 3);
    Value moved = c.transpose(c.reshape(c.in(0), split), order);
    return c.reshape(moved, List.of(s.get(0), channels, s.get(2).times(b), s.get(3).times(b)));
  }

  private static Value spaceToDepth(OpContext c) {
    boolean depthFirst = c.attrOneOf("mode", "DCR", "CRD").equals("DCR");
    long b = blockSize(c);
    List<Affine> s = image(c);
    Affine block = Affine.of(b);
    Affine height = s.get(2).dividedBy(b);
    Affine width = s.get(3).dividedBy(b);
    Value split = c.reshape(c.in(0), List.of(s.get(0), s.get(1), height, block, width, block));
    List<Integer> order = depthFirst ? List.of(0, 3, 5, 1, 2, 4) : List.of(0, 1, 3, 5, 2, 4);
    return c.reshape(
        c.transpose(split, order), List.of(s.get(0), s.get(1).times(b * b), height, width));
  }

  private static long blockSize(OpContext c) {
    long size = c.attrInt("blocksize");
    if (size < 1 || size > 1 << 15) {
      throw LoweringFault.of("has attribute 'blocksize' = %d, which is no block".formatted(size));
    }
    return size;
  }

  private static List<Affine> image(OpContext c) {
    if (c.rank(0) != 4) {
      throw LoweringFault.of("takes [N, C, H, W], not " + c.type(0));
    }
    return c.type(0).shape();
  }

  /// Zero below (`upper`) or above diagonal `k`.
  private static Value triangle(OpContext c) {
    int rank = c.rank(0);
    if (rank < 2) {
      throw LoweringFault.of("takes matrices, not " + c.type(0));
    }
    Expr diagonal = sub(index(rank - 1), index(rank - 2));
    Expr k = c.has(1) ? arg(1) : const_(0);
    Expr kept = c.attrBool("upper") ? ge(diagonal, k) : le(diagonal, k);
    Expr zero = const_(c.element(0), 0L);
    List<Affine> shape = c.type(0).shape();
    return c.has(1)
        ? c.compute(select(kept, arg(0), zero), shape, c.in(0), c.reshape(c.in(1)))
        : c.compute(select(kept, arg(0), zero), shape, c.in(0));
  }

  /// The first `lengths[b]` elements along the time axis in reverse, the others as they are;
  /// lengths beyond the axis are cut to it.
  private static Value reverse(OpContext c) {
    int batch = c.attrAxis("batch_axis", c.rank(0));
    int time = c.attrAxis("time_axis", c.rank(0));
    Expr extent = Ex.size(c.type(0).dim(time));
    Expr given = cast(ElementType.I64, at(1, index(batch)));
    Expr length = min(max(given, const_(0)), extent);
    Expr mirrored = sub(sub(length, const_(1)), index(time));
    List<Expr> coordinates = Ex.here(c.rank(0));
    coordinates.set(time, select(lt(index(time), length), mirrored, index(time)));
    if (c.rank(1) != 1 || !c.type(1).dim(0).equals(c.type(0).dim(batch))) {
      throw LoweringFault.of("has lengths %s for %s".formatted(c.type(1), c.type(0)));
    }
    return c.compute(at(0, coordinates), c.type(0).shape(), c.in(0), c.in(1));
  }
}
