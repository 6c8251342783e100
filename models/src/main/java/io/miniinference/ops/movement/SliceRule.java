package io.miniinference.ops.movement;

import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.PlannedSizes;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Slice: per axis a start, an end that is not reached, and a step; all clamped to the axis ([ONNX
/// Slice](https://onnx.ai/onnx/operators/onnx__Slice.html)).
final class SliceRule {
  private final OpContext c;
  private final List<Affine> starts;
  private final List<Long> steps;
  private final List<Affine> extents;

  SliceRule(OpContext c) {
    this.c = c;
    this.starts = new ArrayList<>(Collections.nCopies(c.rank(0), Affine.ZERO));
    this.steps = new ArrayList<>(Collections.nCopies(c.rank(0), 1L));
    this.extents = new ArrayList<>(c.type(0).shape());
  }

  static Value byAttributes(OpContext c) {
    List<Affine> starts = affine(c.attrInts("starts"));
    long[] axes = c.hasAttr("axes") ? c.attrInts("axes") : firstAxes(starts.size());
    return new SliceRule(c).lower(starts, affine(c.attrInts("ends")), axes, ones(axes.length));
  }

  static Value byInputs(OpContext c) {
    Optional<PlannedSizes> begins = c.planned(1);
    List<Affine> starts = begins.map(PlannedSizes::largest).orElseGet(() -> c.sizes(1));
    long[] axes = c.has(3) ? c.ints(3) : firstAxes(starts.size());
    long[] steps = c.has(4) ? c.ints(4) : ones(axes.length);
    if (begins.isPresent()) {
      return new CountedRange(c, axes, steps).lower();
    }
    Optional<PlannedSizes> ends = c.planned(2);
    return ends.isPresent()
        ? new CountedSlice(c, ends.get(), starts, axes, steps).lower()
        : new SliceRule(c).lower(starts, c.sizes(2), axes, steps);
  }

  private static List<Affine> affine(long[] values) {
    return Arrays.stream(values).mapToObj(Affine::of).toList();
  }

  private static long[] firstAxes(int count) {
    long[] axes = new long[count];
    Arrays.setAll(axes, i -> i);
    return axes;
  }

  private static long[] ones(int count) {
    long[] ones = new long[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  /// @param from a start for each of the axes
  /// @param to an end for each
  /// @param by a step for each
  Value lower(List<Affine> from, List<Affine> to, long[] axes, long[] by) {
    if (from.size() != axes.length || to.size() != axes.length || by.length != axes.length) {
      throw LoweringFault.of(
          "has %d starts, %d ends, %d axes and %d steps"
              .formatted(from.size(), to.size(), axes.length, by.length));
    }
    Map<Integer, Affine> ends = new HashMap<>();
    for (int i = 0; i < axes.length; i++) {
      int axis = OpContext.axis(axes[i], c.rank(0));
      cut(axis, from.get(i), to.get(i), by[i]);
      ends.put(axis, to.get(i));
      if (Sizes.sign(from.get(i)).orElse(-1) < 0) {
        requireFromStart(axis);
      }
    }
    return c.slice(c.in(0), starts, steps, extents, ends);
  }

  private void requireFromStart(int axis) {
    if (c.countedAt(c.in(0), axis).isPresent()) {
      throw CountedAxes.joins();
    }
  }

  private void cut(int axis, Affine from, Affine to, long step) {
    if (step == 0) {
      throw LoweringFault.of("has step 0 on axis " + axis);
    }
    Affine extent = c.type(0).dim(axis);
    if (extent.isZero()) {
      steps.set(axis, step);
      return; // it begins and ends nowhere
    }
    Affine last = extent.minus(Affine.ONE);
    Affine minusOne = Affine.of(-1);
    Affine start = fromEnd(from, extent);
    Affine end = fromEnd(to, extent);
    start = Sizes.clamp(start, Affine.ZERO, step > 0 ? extent : last);
    end = step > 0 ? Sizes.clamp(end, Affine.ZERO, extent) : Sizes.clamp(end, minusOne, last);
    Affine count = count(end.minus(start), step, axis);
    starts.set(axis, count.isZero() ? Affine.ZERO : start);
    steps.set(axis, step);
    extents.set(axis, count);
  }

  /// A negative index counts from the end; one far outside is brought near, so that adding to it
  /// cannot overflow.
  private static Affine fromEnd(Affine index, Affine extent) {
    Affine near =
        index.isConstant() ? Affine.of(Math.clamp(index.constant(), -(1L << 62), 1L << 62)) : index;
    boolean negative = Sizes.sign(near).orElse(0) < 0;
    return negative ? near.plus(extent) : near;
  }

  /// How many steps fit a distance.
  private static Affine count(Affine distance, long step, int axis) {
    if (distance.isConstant()) {
      return Affine.of(Math.max(0, Math.ceilDiv(distance.constant(), step)));
    }
    if (!distance.isMultipleOf(step)) {
      throw LoweringFault.specialisable(
          "takes every %dth of %s elements; fix the batch".formatted(step, distance));
    }
    return Sizes.dimension(distance.dividedBy(step), axis);
  }
}
