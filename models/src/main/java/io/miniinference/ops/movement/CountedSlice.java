package io.miniinference.ops.movement;

import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.draft.Counts;
import io.miniinference.ops.draft.PlannedSizes;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A Slice up to a place that only the device can tell: what lies ahead of it is planned at its
/// largest, and its axis is counted.
final class CountedSlice {
  private final OpContext c;
  private final PlannedSizes ends;
  private final List<Affine> starts;
  private final long[] axes;
  private final long[] steps;

  /// @param ends of each of `axes`, of which one varies
  CountedSlice(OpContext c, PlannedSizes ends, List<Affine> starts, long[] axes, long[] steps) {
    this.c = c;
    this.ends = ends;
    this.starts = starts;
    this.axes = axes;
    this.steps = steps;
  }

  Value lower() {
    int number = varying();
    int axis = OpContext.axis(axes[number], c.rank(0));
    Optional<CountedAxis> counted = c.countedAt(c.in(0), axis);
    Value end = c.slice(c.in(2), 0, Affine.of(number), Affine.ONE);
    return counted.filter(it -> isCount(end, it)).isPresent()
        ? whole(number, axis)
        : first(number, axis, end, counted);
  }

  /* The only number that varies, by which the slice has the first places of its axis. */
  private int varying() {
    int number = ends.varying().getFirst();
    boolean isFirst =
        ends.varying().size() == 1
            && number < Math.min(axes.length, Math.min(starts.size(), steps.length))
            && starts.get(number).isZero()
            && steps[number] == 1
            && ends.isNeverNegative(number);
    if (!isFirst) {
      throw CountedAxes.joins();
    }
    return number;
  }

  private boolean isCount(Value end, CountedAxis counted) {
    return c.facts().planned(end).orElseThrow().isOf(c.facts(), counted.count());
  }

  /* All that there is of the axis, which stays as long as it is. */
  private Value whole(int number, int axis) {
    List<Affine> ended = new ArrayList<>(ends.largest());
    ended.set(number, c.type(0).dim(axis));
    return upTo(ended);
  }

  private Value first(int number, int axis, Value end, Optional<CountedAxis> counted) {
    if (counted.isEmpty() && c.facts().isCounted(c.in(0))) {
      throw CountedAxes.joins();
    }
    Value part = c.whole(upTo(ends.largest()));
    Affine extent = part.type().dim(axis);
    if (!extent.isConstant() || extent.constant() < 2) {
      throw CountedAxes.joins();
    }
    Value count = count(number, end, extent);
    Value there = counted.map(it -> c.facts().counts().lesser(c, count, it.count())).orElse(count);
    return c.counted(part, axis, there);
  }

  /* As many as a count says, if the axis is never shorter; else as many as there are. */
  private Value count(int number, Value end, Affine extent) {
    Counts counts = c.facts().counts();
    return ends.count(number)
        .filter(_ -> ends.largest().get(number).equals(extent))
        .map(length -> counts.of(c, length))
        .orElseGet(() -> counts.atMost(c, end, extent));
  }

  private Value upTo(List<Affine> places) {
    return new SliceRule(c).lower(starts, places, axes, steps);
  }
}
