package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.bool;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mod;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Op.ScatterKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;

/// Where the largest elements of windows lie, output 1 of
/// [MaxPool](https://onnx.ai/onnx/operators/onnx__MaxPool.html), and the images that
/// [MaxUnpool](https://onnx.ai/onnx/operators/onnx__MaxUnpool.html) makes of them again. A place is
/// the number of an element in the whole tensor, row by row; among equals it is the first.
///
/// One elementwise step lays the taps of each window on an axis of their own, a reduction finds the
/// number of the largest, and one more step makes a place of it.
final class PooledPlacesRule {
  private final OpContext c;
  private final Window window;
  private final int spatial;

  private PooledPlacesRule(OpContext c, Window window) {
    this.c = c;
    this.window = window;
    spatial = window.rank();
  }

  static void addTo(OpTable table) {
    table
        .rows("MaxUnpool", 9, "2-3", "kernel_shape pads strides", PooledPlacesRule::unpool)
        .rows(
            "MaxPool",
            1,
            "1",
            WindowAttributes.NAMES + " ceil_mode=0 storage_order=0",
            PooledPlacesRule::pool);
  }

  private static List<Value> pool(OpContext c) {
    boolean ceil = c.attrBool("ceil_mode");
    Window window = new WindowAttributes(c).forward(List.of(), ceil);
    Value largest = c.emit(new Op.WindowReduce(PoolKind.MAX, window, ceil), c.in(0));
    return c.outputs() < 2
        ? List.of(largest)
        : List.of(largest, new PooledPlacesRule(c, window).places(largest.type().shape()));
  }

  private Value places(List<Affine> results) {
    List<Affine> shape = new ArrayList<>(results);
    shape.add(
        Affine.of(
            window.kernel().stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact)));
    int taps = shape.size() - 1;
    Value laid = c.compute(tap(index(taps)), shape, c.in(0));
    Value first = c.reduce(ReduceKind.ARG_MAX, List.of(taps), false, Ex.x(), laid);
    return c.compute(place(arg(0)), results, first);
  }

  /* The element under a tap of the window here, and less than any where that is beside the image. */
  private Expr tap(Expr number) {
    List<Expr> coordinates = new ArrayList<>(List.of(index(0), index(1)));
    Expr isThere = bool(true);
    for (int axis = 0; axis < spatial; axis++) {
      Expr coordinate = coordinate(axis, number);
      Expr isOn = Ex.within(coordinate, const_(0), Ex.size(c.type(0).dim(2 + axis)));
      coordinates.add(coordinate);
      isThere = and(isThere, isOn);
    }
    return select(isThere, at(0, coordinates.toArray(Expr[]::new)), lowest());
  }

  private Expr lowest() {
    ElementType type = c.element(0);
    return switch (type) {
      case I8 -> const_(type, (long) Byte.MIN_VALUE);
      case U8 -> const_(type, 0L);
      default -> const_(type, Double.NEGATIVE_INFINITY);
    };
  }

  private Expr coordinate(int axis, Expr number) {
    long inner = 1;
    for (int after = axis + 1; after < spatial; after++) {
      inner *= window.kernel().get(after);
    }
    Expr tap = mod(div(number, const_(inner)), const_((long) window.kernel().get(axis)));
    Expr start =
        sub(
            mul(index(2 + axis), const_((long) window.strides().get(axis))),
            const_((long) window.padsBegin().get(axis)));
    return add(start, mul(tap, const_((long) window.dilations().get(axis))));
  }

  /* With a storage order by columns, an image of two axes counts them the other way round. */
  private Expr place(Expr number) {
    boolean byColumns = c.attrBool("storage_order");
    Expr place = add(mul(index(0), Ex.size(c.type(0).dim(1))), index(1));
    for (int k = 0; k < spatial; k++) {
      int axis = byColumns ? spatial - 1 - k : k;
      place = add(mul(place, Ex.size(c.type(0).dim(2 + axis))), coordinate(axis, number));
    }
    return place;
  }

  private static List<Value> unpool(OpContext c) {
    if (!c.type(1).shape().equals(c.type(0).shape())) {
      throw LoweringFault.of("has indices %s for values %s".formatted(c.type(1), c.type(0)));
    }
    var attributes = new WindowAttributes(c);
    var window = attributes.unpooled();
    List<Affine> whole = new ArrayList<>(c.type(0).shape().subList(0, 2));
    for (int axis = 0; axis < attributes.rank(); axis++) {
      whole.add(Sizes.dimension(Affine.of(unpooled(attributes, window, axis)), 2 + axis));
    }
    Value image = c.reshape(scattered(c, whole), whole);
    return List.of(c.has(2) ? placed(c, image) : image);
  }

  private static long unpooled(WindowAttributes attributes, Window window, int axis) {
    long pads = Math.addExact(window.padsBegin().get(axis), (long) window.padsEnd().get(axis));
    long steps = Math.multiplyExact(attributes.extent(axis) - 1, (long) window.strides().get(axis));
    return Math.addExact(steps, window.kernel().get(axis) - pads);
  }

  /* Each image on its own, so that a wrong place fails its row alone. */
  private static Value scattered(OpContext c, List<Affine> whole) {
    Affine batch = whole.getFirst();
    Affine results = product(whole);
    Affine given = product(c.type(0).shape());
    List<Affine> line = List.of(batch, given);
    Value zeros = c.compute(const_(c.element(0), 0.0), List.of(batch, results));
    Expr place = sub(arg(0), mul(index(0), Ex.size(results)));
    Value places = c.compute(place, line, c.reshape(c.in(1), line));
    Op scatter = new Op.Scatter(new Selection.Elements(1), ScatterKind.REPLACE);
    return c.emit(scatter, zeros, places, c.reshape(c.in(0), line));
  }

  /* How many elements a row has. */
  private static Affine product(List<Affine> shape) {
    return shape.subList(1, shape.size()).stream().reduce(Affine.ONE, Affine::times);
  }

  /* The image at the start of a larger one of zeros. */
  private static Value placed(OpContext c, Value image) {
    List<Affine> shape = c.sizes(2);
    if (shape.size() != image.type().rank()) {
      throw LoweringFault.of("has an output shape %s for %s".formatted(shape, image.type()));
    }
    Expr isOn = bool(true);
    Expr[] here = Ex.here(shape.size()).toArray(Expr[]::new);
    for (int axis = 0; axis < here.length; axis++) {
      Expr on = Ex.within(here[axis], const_(0), Ex.size(image.type().dim(axis)));
      isOn = and(isOn, on);
    }
    Expr zero = const_(c.element(0), 0.0);
    return c.compute(select(isOn, at(0, here), zero), shape, image);
  }
}
