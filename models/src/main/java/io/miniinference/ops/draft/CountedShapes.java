package io.miniinference.ops.draft;

import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Shapes that follow a [CountedAxis]. The plan's size alone proves nothing, since any number of
/// the file may equal it: a shape is made for several lengths of the axis, and one place alone may
/// grow with it.
public final class CountedShapes {
  private CountedShapes() {}

  /// The place of a shape whose length follows that of a counted axis.
  private record Place(int axis, Counts.Linear length) {}

  /// A value in another shape of as many elements.
  ///
  /// @param rule makes the shape of that of `x`
  /// @throws LoweringFault if `x` has such an axis, and it is not known where it is then
  static Value laidOut(Emitter c, Value x, UnaryOperator<List<Affine>> rule) {
    Optional<CountedAxis> counted = c.facts().counted(x);
    if (counted.isEmpty()) {
      return c.reshape(x, rule.apply(x.type().shape()));
    }
    PlannedSizes of = PlannedSizes.of(c.facts(), x.type(), counted.get(), 0, x.type().rank());
    return laidOut(c, x, of.mapped(rule));
  }

  /// A value in another shape of as many elements, by sizes that follow a counted axis.
  ///
  /// @param rule makes the shape of that of `x` and of the sizes
  /// @throws LoweringFault if `x` has no such axis, or another, or it is not known where it is then
  public static Value laidOut(
      Emitter c, Value x, BinaryOperator<List<Affine>> rule, PlannedSizes sizes) {
    CountedAxis counted = c.facts().counted(x).orElseThrow(CountedAxes::joins);
    PlannedSizes of = PlannedSizes.of(c.facts(), x.type(), counted, 0, x.type().rank());
    if (!of.base().equals(sizes.base())) {
      throw CountedAxes.joins();
    }
    return laidOut(c, x, of.mapped(rule, sizes));
  }

  /* In a shape that is known for each length of the axis. */
  private static Value laidOut(Emitter c, Value x, PlannedSizes shape) {
    CountedAxis counted = c.facts().counted(x).orElseThrow();
    Place place = place(shape);
    List<Affine> result = shape.largest();
    Affine ahead = product(x.type().shape().subList(0, counted.axis()));
    if (!product(result.subList(0, place.axis)).equals(ahead)) {
      throw CountedAxes.joins();
    }
    Value count = c.facts().counts().of(c, place.length);
    return count.equals(counted.count())
        ? c.reshape(x, result)
        : c.counted(c.reshape(c.whole(x), result), place.axis, count);
  }

  /// A value repeated to a shape.
  ///
  /// @param sizes that the file gives, which may follow a counted axis
  /// @param planned what is known of them, if they do
  public static Value expanded(
      Emitter c, Value x, List<Affine> sizes, Optional<PlannedSizes> planned) {
    int rank = x.type().rank();
    List<Integer> axes = IntStream.range(rank - sizes.size(), rank).boxed().toList();
    if (planned.isEmpty()) {
      requireUnsized(c.facts(), x, axes, sizes);
    }
    int before = Math.max(0, rank - sizes.size());
    List<Affine> shape = c.broadcast(x.type().shape(), Sizes.dimensions(sizes, before));
    if (planned.isEmpty()) {
      return c.expand(x, shape);
    }
    return expandedBy(c, x, shape, planned.get());
  }

  private static Value expandedBy(Emitter c, Value x, List<Affine> shape, PlannedSizes sizes) {
    Place place = place(sizes);
    int axis = place.axis + shape.size() - sizes.largest().size();
    Value count = c.facts().counts().of(c, place.length);
    Optional<CountedAxis> own = c.facts().counted(x);
    int ofX = axis - shape.size() + x.type().rank();
    boolean isOne = ofX < 0 || x.type().dim(ofX).equals(Affine.ONE);
    boolean isSame = own.filter(it -> it.equals(new CountedAxis(ofX, count))).isPresent();
    if (!isSame && (own.isPresent() || !isOne)) {
      throw CountedAxes.joins();
    }
    if (isSame) {
      return c.expand(x, shape);
    }
    return c.counted(c.expand(x, shape), axis, count);
  }

  /// A value that is new, of a shape that may follow a counted axis.
  ///
  /// @param made of the largest shape
  public static Value of(Emitter c, Value made, PlannedSizes sizes) {
    Place place = place(sizes);
    Value count = c.facts().counts().of(c, place.length);
    return c.counted(made, place.axis, count);
  }

  private static Place place(PlannedSizes shape) {
    List<Integer> varying = shape.varying();
    Optional<Counts.Linear> length =
        varying.size() == 1 ? shape.count(varying.getFirst()) : Optional.empty();
    if (length.isEmpty() || shape.largest().get(varying.getFirst()).equals(Affine.ONE)) {
      throw CountedAxes.joins();
    }
    return new Place(varying.getFirst(), length.get());
  }

  /// A part of a value along its counted axis, whatever it has along others.
  ///
  /// @param end counted from the end where it is negative
  static Value part(Emitter c, Value x, Movement.Slice map, Affine end) {
    CountedAxis counted = c.facts().counted(x).orElseThrow();
    int axis = counted.axis();
    Affine start = map.starts().get(axis);
    Affine extent = map.extents().get(axis);
    boolean isWhole = extent.equals(x.type().dim(axis)) && Sizes.sign(end).orElse(-1) >= 0;
    if (isWhole) {
      return c.slice(x, map.starts(), map.steps(), map.extents());
    }
    boolean isKnown = start.isConstant() && end.isConstant() && extent.isConstant();
    if (!isKnown || map.steps().get(axis) != 1 || extent.constant() < 2) {
      throw CountedAxes.joins();
    }
    Value count = c.facts().counts().between(c, counted.count(), start.constant(), end.constant());
    Value part = c.emit(new Op.View(map), c.whole(x));
    return c.counted(part, axis, count);
  }

  /// Where an axis is in a shape of the same elements: a reshape keeps row-major order, so that as
  /// many elements lie ahead of one as long. −1 if it is nowhere.
  static int place(List<Affine> shape, int axis, List<Affine> result) {
    return IntStream.range(0, result.size())
        .filter(i -> result.get(i).equals(shape.get(axis)))
        .filter(i -> product(result.subList(0, i)).equals(product(shape.subList(0, axis))))
        .findFirst()
        .orElse(-1);
  }

  private static Affine product(List<Affine> shape) {
    return shape.stream().reduce(Affine.ONE, Affine::times);
  }

  /// Refuses to make a value larger or smaller by sizes of which one is for its counted axis, and
  /// no 1 that leaves it as it is.
  ///
  /// @param axes of which the sizes are
  /// @throws LoweringFault if one is
  public static void requireUnsized(Facts facts, Value x, List<Integer> axes, List<Affine> sizes) {
    facts
        .counted(x)
        .map(counted -> axes.indexOf(counted.axis()))
        .filter(place -> place >= 0 && !sizes.get(place).equals(Affine.ONE))
        .ifPresent(_ -> {
          throw CountedAxes.joins();
        });
  }
}
