package io.miniinference.ops.movement;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.draft.CountedShapes;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.PlannedSizes;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Shapes as values, and other shapes for the same elements.
public final class ShapeOps {
  private ShapeOps() {}

  public static void addTo(OpTable table) {
    table
        .joining()
        .row("Shape", 1, "1", "start=0 end=9223372036854775807", ShapeOps::shape)
        .row("Size", 1, "1", "", ShapeOps::size);
    table
        .row("Identity", 1, "1", "", c -> c.in(0))
        .row("Reshape", 1, "1", "shape", ReshapeRule::byAttribute)
        .row("Reshape", 5, "2", "allowzero=0", ReshapeRule::lower)
        .row("Flatten", 1, "1", "axis=1", ShapeOps::flatten)
        .row("Squeeze", 1, "1", "axes", c -> squeeze(c, c.attrInts("axes")))
        .row("Squeeze", 13, "1-2", "", c -> squeeze(c, c.has(1) ? c.ints(1) : new long[0]))
        .row("Unsqueeze", 1, "1", "axes", c -> unsqueeze(c, c.attrInts("axes")))
        .row("Unsqueeze", 13, "2", "", c -> unsqueeze(c, c.ints(1)))
        .row("Expand", 8, "2", "", ShapeOps::expand);
  }

  private static Value shape(OpContext c) {
    int rank = c.rank(0);
    int start = clamp(c.attrInt("start"), rank);
    int end = Math.max(start, clamp(c.attrInt("end"), rank));
    return c.facts()
        .counted(c.in(0))
        .map(axis -> vector(c, axis, start, end))
        .orElseGet(() -> vector(c, c.type(0).shape().subList(start, end)));
  }

  /// What there is of a counted axis is known once the model runs.
  private static Value vector(OpContext c, CountedAxis counted, int start, int end) {
    Value most = vector(c, c.type(0).shape().subList(start, end));
    PlannedSizes sizes = PlannedSizes.of(c.facts(), c.type(0), counted, start, end);
    if (sizes.varying().isEmpty()) {
      return most;
    }
    Expr isIt = eq(index(0), const_(counted.axis() - start));
    Value vector =
        c.compute(select(isIt, arg(1), arg(0)), most.type().shape(), most, counted.count());
    c.facts().plan(vector, sizes);
    return vector;
  }

  private static Value size(OpContext c) {
    Optional<CountedAxis> counted = c.facts().counted(c.in(0));
    if (counted.isEmpty()) {
      return c.compute(Ex.size(c.type(0).elements()), List.of());
    }
    List<Affine> others = new ArrayList<>(c.type(0).shape());
    others.set(counted.get().axis(), Affine.ONE);
    return c.map(mul(arg(0), Ex.size(product(others))), counted.get().count());
  }

  private static int clamp(long axis, int rank) {
    return (int) Math.clamp(axis < 0 ? axis + rank : axis, 0, rank);
  }

  /// Sizes as a tensor.
  static Value vector(Emitter c, List<Affine> sizes) {
    Expr element = const_(0);
    for (int i = sizes.size() - 1; i >= 0; i--) {
      Expr size = Ex.size(sizes.get(i));
      element = i == sizes.size() - 1 ? size : select(eq(index(0), const_(i)), size, element);
    }
    return c.compute(element, List.of(Affine.of(sizes.size())));
  }

  public static Affine product(List<Affine> shape) {
    return shape.stream().reduce(Affine.ONE, Affine::times);
  }

  private static Value flatten(OpContext c) {
    int rank = c.rank(0);
    long axis = c.attrInt("axis");
    return flatten(c, c.in(0), axis == rank ? rank : OpContext.axis(axis, rank));
  }

  /// Two axes: those before `axis`, and the others.
  public static Value flatten(Emitter c, Value x, int axis) {
    return c.reshape(
        x,
        shape ->
            List.of(product(shape.subList(0, axis)), product(shape.subList(axis, shape.size()))));
  }

  private static Value squeeze(OpContext c, long[] given) {
    List<Affine> shape = c.type(0).shape();
    if (given.length == 0 && c.facts().isCounted(c.in(0))) {
      throw LoweringFault.counted(
          "would leave out the axis of rows where a request has one, of which only the device can tell how many there are; give axes");
    }
    List<Integer> axes =
        given.length > 0
            ? OpContext.axes(given, shape.size())
            : IntStream.range(0, shape.size())
                .filter(i -> shape.get(i).equals(Affine.ONE))
                .boxed()
                .toList();
    for (int axis : axes) {
      if (!shape.get(axis).equals(Affine.ONE)) {
        String what = "cannot squeeze axis %d of %s".formatted(axis, c.type(0));
        throw shape.get(axis).isConstant()
            ? LoweringFault.of(what)
            : LoweringFault.specialisable(what + "; fix the batch");
      }
    }
    return c.reshape(
        c.in(0),
        IntStream.range(0, shape.size())
            .filter(i -> !axes.contains(i))
            .mapToObj(shape::get)
            .toList());
  }

  private static Value unsqueeze(OpContext c, long[] given) {
    List<Integer> axes = OpContext.axes(given, c.rank(0) + given.length);
    List<Affine> shape = new ArrayList<>(c.type(0).shape());
    axes.forEach(axis -> shape.add(axis, Affine.ONE));
    return c.reshape(c.in(0), shape);
  }

  private static Value expand(OpContext c) {
    Optional<PlannedSizes> planned = c.planned(1);
    List<Affine> sizes = planned.map(PlannedSizes::largest).orElseGet(() -> c.sizes(1));
    return CountedShapes.expanded(c, c.in(0), sizes, planned);
  }

  /// `start + i·delta` for `i` below `count`.
  static Value range(OpContext c, Affine count) {
    ElementType type = c.element(0);
    Expr step = mul(Ex.as(ElementType.I64, type, index(0)), arg(1));
    Value start = c.reshape(c.in(0));
    Value delta = c.reshape(c.in(2));
    return c.compute(add(arg(0), step), List.of(count), start, delta);
  }
}
