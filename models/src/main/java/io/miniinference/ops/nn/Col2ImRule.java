package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mod;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

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
import java.util.List;
import java.util.Objects;

/// An image out of its blocks, PyTorch's Fold: where blocks overlap, their elements are added up
/// ([Col2Im](https://onnx.ai/onnx/operators/onnx__Col2Im.html)). Each element of the image finds
/// the blocks that reach it, so that no two work items write to one place.
public final class Col2ImRule {
  /// Most blocks that may reach an element: each is a term of its sum.
  private static final long MOST_TERMS = 1024;

  private final OpContext c;
  private final long[] image;
  private final long[] block;
  private final long[] strides;
  private final long[] dilations;
  private final long[] pads;

  private Col2ImRule(OpContext c) {
    this.c = c;
    c.requireRank(0, 3, 3);
    image = c.ints(1);
    block = c.ints(2);
    if (image.length == 0 || block.length != image.length) {
      throw LoweringFault.of(
          "has blocks %s of an image %s".formatted(Arrays.toString(block), Arrays.toString(image)));
    }
    strides = list("strides", image.length, 1, 1);
    dilations = list("dilations", image.length, 1, 1);
    pads = list("pads", 2 * image.length, 0, 0);
    checkBlocks();
  }

  public static void addTo(OpTable table) {
    table.row("Col2Im", 18, "3", "dilations pads strides", c -> new Col2ImRule(c).lower());
  }

  private long[] list(String name, int count, long otherwise, long least) {
    long[] values = c.attrInts(name);
    if (!c.hasAttr(name)) {
      values = new long[count];
      Arrays.fill(values, otherwise);
    }
    if (values.length != count || Arrays.stream(values).anyMatch(value -> value < least)) {
      throw LoweringFault.of(
          "has attribute '%s' = %s for %d axes"
              .formatted(name, Arrays.toString(values), image.length));
    }
    return values;
  }

  private void checkBlocks() {
    long elements = 1;
    long blocks = 1;
    for (int axis = 0; axis < image.length; axis++) {
      Sizes.dimension(Affine.of(image[axis]), 2 + axis, axis);
      if (block[axis] < 1 || blocks(axis) < 1) {
        throw LoweringFault.of(
            "has blocks %s, which do not fit an image %s"
                .formatted(Arrays.toString(block), Arrays.toString(image)));
      }
      elements = Math.multiplyExact(elements, block[axis]);
      blocks = Math.multiplyExact(blocks, blocks(axis));
    }
    boolean fits =
        c.type(0).dim(2).equals(Affine.of(blocks))
            && Sizes.quotient(c.type(0).dim(1), Affine.of(elements)).isPresent();
    if (!fits) {
      throw LoweringFault.of(
          "takes [N, C·%d, %d] for an image %s, not %s"
              .formatted(elements, blocks, Arrays.toString(image), c.type(0)));
    }
  }

  /* How many blocks stand along an axis. */
  private long blocks(int axis) {
    long span = Math.addExact(Math.multiplyExact(dilations[axis], block[axis] - 1), 1);
    long extent = Math.addExact(image[axis], pads[axis] + pads[axis + image.length]);
    return Math.floorDiv(extent - span, strides[axis]) + 1;
  }

  private long elements() {
    return Arrays.stream(block).reduce(1, (a, b) -> a * b);
  }

  private Value lower() {
    List<Affine> shape = new ArrayList<>();
    shape.add(c.type(0).dim(0));
    shape.add(Sizes.quotient(c.type(0).dim(1), Affine.of(elements())).orElseThrow());
    Arrays.stream(image).mapToObj(Affine::of).forEach(shape::add);
    long terms = 1;
    for (int axis = 0; axis < image.length; axis++) {
      terms *= terms(axis);
    }
    if (terms > MOST_TERMS) {
      throw c.unsupported("an element that " + terms + " blocks may reach");
    }
    return c.compute(sum(0, List.of()), shape, c.in(0));
  }

  /* Blocks that may reach an element along an axis. Without dilation those that do are neighbours. */
  private long terms(int axis) {
    return dilations[axis] == 1 ? Math.ceilDiv(block[axis], strides[axis]) : block[axis];
  }

  private record Reach(Expr offset, Expr block, Expr isThere) {}

  /* The `i`-th of the blocks that may reach an element: where in it the element lies, which one it
  is, and whether it is one. */
  private Reach reach(int axis, long i) {
    Expr place = add(index(2 + axis), const_(pads[axis]));
    Expr stride = const_(strides[axis]);
    if (dilations[axis] == 1) {
      Expr offset = add(mod(place, stride), const_(i * strides[axis]));
      Expr number = sub(div(place, stride), const_(i));
      Expr inBlock = Ex.within(offset, const_(0), const_(block[axis]));
      return new Reach(offset, number, and(inBlock, isBlock(axis, number)));
    }
    Expr from = sub(place, const_(i * dilations[axis]));
    Expr number = div(from, stride);
    Expr starts = eq(mul(number, stride), from);
    return new Reach(const_(i), number, and(starts, isBlock(axis, number)));
  }

  private Expr isBlock(int axis, Expr number) {
    return Ex.within(number, const_(0), const_(blocks(axis)));
  }

  private Expr sum(int axis, List<Reach> chosen) {
    if (axis == image.length) {
      return element(chosen);
    }
    Expr sum = null;
    for (long i = 0; i < terms(axis); i++) {
      List<Reach> next = new ArrayList<>(chosen);
      next.add(reach(axis, i));
      Expr term = sum(axis + 1, next);
      sum = sum == null ? term : add(sum, term);
    }
    return Objects.requireNonNull(sum);
  }

  private Expr element(List<Reach> chosen) {
    Expr offset = const_(0);
    Expr number = const_(0);
    Expr isThere = null;
    for (int axis = 0; axis < image.length; axis++) {
      Reach reach = chosen.get(axis);
      offset = add(mul(offset, const_(block[axis])), reach.offset());
      number = add(mul(number, const_(blocks(axis))), reach.block());
      isThere = isThere == null ? reach.isThere() : and(isThere, reach.isThere());
    }
    Expr channel = add(mul(index(1), const_(elements())), offset);
    Expr element = at(0, index(0), channel, number);
    Expr zero = const_(c.element(0), 0L);
    return select(Objects.requireNonNull(isThere), element, zero);
  }
}
