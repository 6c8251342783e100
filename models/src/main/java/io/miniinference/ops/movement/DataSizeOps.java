package io.miniinference.ops.movement;

import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mod;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/// Operators whose results are as large as their data say: of constants and sizes at load; of what
/// only the device can tell planned at their largest ([Positions]), where what follows can do with
/// that; and of small inputs whose values a request gives.
public final class DataSizeOps {
  private DataSizeOps() {}

  public static void addTo(OpTable table) {
    table
        .row("NonZero", 9, "1", "", DataSizeOps::nonZero)
        .row("Compress", 9, "2", "axis", DataSizeOps::compress)
        .rows("Unique", 11, "1", "axis sorted=1", DataSizeOps::unique);
  }

  /// The coordinates of all elements but zeros: a row an axis, a column an element, in row-major
  /// order.
  private static Value nonZero(OpContext c) {
    if (isCounted(c, 0)) {
      Value coordinates = coordinates(c, new Positions(c).of(c.in(0)));
      c.facts().chosen().noteCoordinates(coordinates, c.in(0));
      return coordinates;
    }
    Tensor data = known(c, 0);
    long[] places = places(data.elements(), i -> SmallTensors.real(data, i) != 0);
    long[] shape = data.shape();
    long[] coordinates = new long[fitting(c, shape.length, places.length)];
    long below = 1;
    for (int axis = shape.length - 1; axis >= 0; axis--) {
      for (int k = 0; k < places.length; k++) {
        coordinates[axis * places.length + k] = places[k] / below % shape[axis];
      }
      below *= shape[axis];
    }
    return longs(c, coordinates, shape.length, places.length);
  }

  /* Whether the elements are known to the device alone. */
  private static boolean isCounted(OpContext c, int i) {
    return c.countsSizes()
        && c.rank(i) > 0
        && !c.type(i).elements().isZero()
        && (c.facts().tensor(c.in(i)) == null || c.facts().isCounted(c.in(i)));
  }

  /* Whether there are as many elements as is known, and more than one. */
  private static boolean isLine(OpContext c, int i) {
    Affine elements = c.type(i).elements();
    return elements.isConstant() && elements.constant() > 1 && !c.facts().isCounted(c.in(i));
  }

  /* Of places in row-major order. */
  private static Value coordinates(OpContext c, Value places) {
    List<Affine> shape = c.type(0).shape();
    Expr place = at(0, index(1));
    Expr below = const_(1);
    Expr coordinate = place;
    for (int axis = shape.size() - 1; axis >= 0; axis--) {
      Expr own = div(place, below);
      if (axis > 0) {
        own = mod(own, Ex.size(shape.get(axis)));
      }
      coordinate =
          axis == shape.size() - 1 ? own : select(eq(index(0), const_(axis)), own, coordinate);
      below = mul(below, Ex.size(shape.get(axis)));
    }
    List<Affine> result = List.of(Affine.of(shape.size()), places.type().dim(0));
    return c.compute(coordinate, result, places);
  }

  /// The slices along an axis, or the elements, whose condition is true.
  private static Value compress(OpContext c) {
    c.requireRank(1, 1, 1);
    Value data =
        c.hasAttr("axis") ? c.in(0) : c.reshape(c.in(0), shape -> List.of(ShapeOps.product(shape)));
    int axis = c.hasAttr("axis") ? c.attrAxis("axis", c.rank(0)) : 0;
    if (isCounted(c, 1)) {
      return c.emit(new Op.Gather(new Selection.Slices(axis)), data, new Positions(c).of(c.in(1)));
    }
    Tensor condition = known(c, 1);
    long[] kept = places(condition.elements(), i -> SmallTensors.integer(condition, i) != 0);
    requireWithin(kept, data.type().dim(axis));
    return c.emit(new Op.Gather(new Selection.Slices(axis)), data, longs(c, kept, kept.length));
  }

  private static void requireWithin(long[] places, Affine extent) {
    if (places.length > 0 && places[places.length - 1] >= extent.at(1)) {
      throw LoweringFault.of(
          "has a condition that is true at %d, beyond an axis of %s"
              .formatted(places[places.length - 1], extent));
    }
  }

  private static List<Value> unique(OpContext c) {
    boolean areElements = !c.hasAttr("axis") && c.attrBool("sorted") && c.coded(0).isEmpty();
    if (areElements && isCounted(c, 0) && isLine(c, 0)) {
      return new CountedUnique(c, c.in(0)).lower();
    }
    Tensor data = known(c, 0);
    fitting(c, Math.max(1, data.shape().length), data.elements());
    DistinctSlices distinct =
        c.hasAttr("axis")
            ? DistinctSlices.along(data, c.attrAxis("axis", c.rank(0)), c.attrBool("sorted"))
            : DistinctSlices.ofElements(data, c.attrBool("sorted"));
    return List.of(
        c.constant(distinct.values()),
        longs(c, distinct.first(), distinct.first().length),
        longs(c, distinct.inverse(), distinct.inverse().length),
        longs(c, distinct.counts(), distinct.counts().length));
  }

  /// An input's elements; they must be known, and must be all for any batch.
  private static Tensor known(OpContext c, int i) {
    if (!c.type(i).isStatic()) {
      throw LoweringFault.specialisable(
          "input %d is %s, and its elements decide a size; fix the batch".formatted(i, c.type(i)));
    }
    return c.tensor(i);
  }

  private static long[] places(long elements, LongPredicate chosen) {
    return LongStream.range(0, elements).filter(chosen).toArray();
  }

  /// As many elements as a result has, if it is no larger than a constant may be.
  private static int fitting(OpContext c, long rows, long columns) {
    long bytes = rows * columns * Long.BYTES;
    if (bytes > Math.min(c.maxFoldedBytes(), Integer.MAX_VALUE)) {
      throw LoweringFault.of(
          "has %,d bytes of coordinates, more than the %,d that a constant may have"
              .formatted(bytes, c.maxFoldedBytes()));
    }
    return (int) (rows * columns);
  }

  private static Value longs(OpContext c, long[] values, long... shape) {
    return c.constant(SmallTensors.of(ElementType.I64, shape, values));
  }
}
