package io.miniinference.ops.movement;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.bool;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mod;
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
import java.util.stream.IntStream;

/// Padding, each output element fetched from where it comes from; negative pads crop.
public final class PadOps {
  private static final String MODES = "mode=constant";

  private PadOps() {}

  public static void addTo(OpTable table) {
    table
        .row("Pad", 1, "1", MODES + " paddings value=0", c -> byAttributes(c, "paddings"))
        .row("Pad", 2, "1", MODES + " pads value=0", c -> byAttributes(c, "pads"))
        .row("Pad", 11, "2-4", MODES, PadOps::byInputs)
        .row("CenterCropPad", 18, "2", "axes", PadOps::centerCrop);
  }

  private static Value byAttributes(OpContext c, String name) {
    List<Affine> pads = Arrays.stream(c.attrInts(name)).mapToObj(Affine::of).toList();
    Expr value = const_(c.element(0), c.attrFloat("value"));
    return pad(c, allAxes(c.rank(0)), pads, value, c.in(0));
  }

  private static Value byInputs(OpContext c) {
    List<Integer> axes = c.has(3) ? axes(c.ints(3), c.rank(0)) : allAxes(c.rank(0));
    List<Affine> pads = c.sizes(1);
    return c.has(2)
        ? pad(c, axes, pads, arg(1), c.in(0), c.reshape(c.in(2)))
        : pad(c, axes, pads, const_(c.element(0), 0L), c.in(0));
  }

  private static List<Integer> axes(long[] axes, int rank) {
    OpContext.axes(axes, rank); // none twice
    return Arrays.stream(axes).mapToObj(axis -> OpContext.axis(axis, rank)).toList();
  }

  private static List<Integer> allAxes(int rank) {
    return IntStream.range(0, rank).boxed().toList();
  }

  private static Value pad(
      OpContext c, List<Integer> axes, List<Affine> pads, Expr value, Value... operands) {
    String mode = c.attrOneOf("mode", "constant", "edge", "reflect", "wrap");
    if (pads.size() != 2 * axes.size()) {
      throw LoweringFault.of("has %d pads for %d axes".formatted(pads.size(), axes.size()));
    }
    List<Expr> coordinates = Ex.here(c.rank(0));
    List<Affine> shape = new ArrayList<>(c.type(0).shape());
    Expr inside = bool(true);
    for (int i = 0; i < axes.size(); i++) {
      int axis = axes.get(i);
      Affine before = pads.get(i);
      Affine after = pads.get(i + axes.size());
      if (before.isZero() && after.isZero()) {
        continue;
      }
      Affine extent = shape.get(axis);
      shape.set(axis, Sizes.dimension(extent.plus(before).plus(after), axis, i));
      Expr place = before.isZero() ? index(axis) : sub(index(axis), Ex.size(before));
      Affine last = extent.minus(Affine.ONE);
      boolean isOnce = before.isAtMost(last) && after.isAtMost(last);
      coordinates.set(axis, source(mode, place, extent, isOnce));
      Expr here = Ex.within(place, const_(0), Ex.size(extent));
      inside = inside.equals(bool(true)) ? here : and(inside, here);
    }
    Expr fetched = at(0, coordinates);
    if (inside.equals(bool(true))) {
      return c.in(0);
    }
    return mode.equals("constant")
        ? c.compute(select(inside, fetched, value), shape, operands)
        : c.compute(fetched, shape, operands[0]);
  }

  /// Where in `[0, extent)` the element at `place` comes from.
  ///
  /// @param isOnce whether padding is no wider than what it mirrors
  private static Expr source(String mode, Expr place, Affine extent, boolean isOnce) {
    Expr last = Ex.size(extent.minus(Affine.ONE));
    return switch (mode) {
      case "edge" -> max(const_(0), min(place, last));
      case "wrap" -> mod(place, Ex.size(extent));
      case "reflect" -> isOnce ? mirroredOnce(place, last) : mirrored(place, extent);
      default -> place;
    };
  }

  /* At either end. */
  private static Expr mirroredOnce(Expr place, Expr last) {
    return sub(last, abs(sub(last, abs(place))));
  }

  private static Expr mirrored(Expr place, Affine extent) {
    if (extent.equals(Affine.ONE)) {
      return const_(0);
    }
    Affine period = extent.minus(Affine.ONE).times(2);
    Expr phase = mod(place, Ex.size(period));
    return min(phase, sub(Ex.size(period), phase));
  }

  /// Crops or pads the named axes to given sizes, about the centre.
  private static Value centerCrop(OpContext c) {
    List<Integer> axes =
        c.hasAttr("axes") ? axes(c.attrInts("axes"), c.rank(0)) : allAxes(c.rank(0));
    long[] target = c.ints(1);
    List<Expr> coordinates = Ex.here(c.rank(0));
    List<Affine> shape = new ArrayList<>(c.type(0).shape());
    Expr inside = bool(true);
    for (int i = 0; i < Math.min(target.length, axes.size()); i++) {
      int axis = axes.get(i);
      long extent = constant(shape.get(axis));
      shape.set(axis, Sizes.dimension(Affine.of(target[i]), axis, i));
      long missing = target[i] - extent;
      long before = missing >= 0 ? missing / 2 : -(-missing / 2);
      Expr place = sub(index(axis), const_(before));
      coordinates.set(axis, place);
      inside = and(inside, Ex.within(place, const_(0), const_(extent)));
    }
    Expr fetched = select(inside, at(0, coordinates), const_(c.element(0), 0L));
    return c.compute(fetched, shape, c.in(0));
  }

  private static long constant(Affine size) {
    if (!size.isConstant()) {
      throw LoweringFault.specialisable("crops an axis of %s; fix the batch".formatted(size));
    }
    return size.constant();
  }
}
