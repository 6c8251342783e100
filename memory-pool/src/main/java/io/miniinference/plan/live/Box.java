package io.miniinference.plan.live;

import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// A part of an array in its logical indices, with its axes in some order: per axis of `base`
/// `extents[i]` indices from `starts[i]` in steps of `steps[i]`; axis `i` of what is seen is base
/// axis `order[i]`. Whatever is said of two boxes holds at every batch size from 0 up.
///
/// @param base shape of the array of which this is a part
record Box(
    List<Affine> base,
    List<Affine> starts,
    List<Long> steps,
    List<Affine> extents,
    List<Integer> order) {

  static Box whole(List<Affine> shape) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      order.add(i);
    }
    return new Box(
        List.copyOf(shape),
        Collections.nCopies(shape.size(), Affine.ZERO),
        Collections.nCopies(shape.size(), 1L),
        List.copyOf(shape),
        List.copyOf(order));
  }

  boolean isWhole() {
    return equals(whole(base));
  }

  /// What is seen.
  List<Affine> shape() {
    Affine[] seen = new Affine[order.size()]; // asked for at each movement
    for (int i = 0; i < seen.length; i++) {
      seen[i] = extents.get(order.get(i));
    }
    return List.of(seen);
  }

  Box transposed(Movement.Transpose by) {
    return new Box(base, starts, steps, extents, by.axes(order));
  }

  /// A part of what is seen.
  Box sliced(Movement.Slice slice) {
    List<Affine> from = new ArrayList<>(starts);
    List<Long> by = new ArrayList<>(steps);
    List<Affine> count = new ArrayList<>(extents);
    for (int i = 0; i < order.size(); i++) {
      int axis = order.get(i);
      from.set(axis, starts.get(axis).plus(slice.starts().get(i).times(steps.get(axis))));
      by.set(axis, Math.multiplyExact(steps.get(axis), slice.steps().get(i)));
      count.set(axis, slice.extents().get(i));
    }
    return new Box(base, List.copyOf(from), List.copyOf(by), List.copyOf(count), order);
  }

  /// The box of shape `whole` of which this is the given part, if there is one. It may reach beyond
  /// the base.
  Optional<Box> unsliced(Movement.Slice slice, List<Affine> whole) {
    List<Affine> from = new ArrayList<>(starts);
    List<Long> by = new ArrayList<>(steps);
    List<Affine> count = new ArrayList<>(extents);
    for (int i = 0; i < order.size(); i++) {
      int axis = order.get(i);
      long step = slice.steps().get(i);
      if (steps.get(axis) % step != 0) {
        return Optional.empty();
      }
      by.set(axis, steps.get(axis) / step);
      from.set(axis, starts.get(axis).minus(slice.starts().get(i).times(by.get(axis))));
      count.set(axis, whole.get(i));
    }
    return Optional.of(
        new Box(base, List.copyOf(from), List.copyOf(by), List.copyOf(count), order));
  }

  /// Whether each index is one of the base.
  boolean isInside() {
    for (int axis = 0; axis < base.size(); axis++) {
      if (!atMost(Affine.ZERO, lowest(axis)) || !atMost(end(axis), base.get(axis))) {
        return false;
      }
    }
    return true;
  }

  /// Whether no index is in both, whose bases are the same array.
  boolean isApartFrom(Box other) {
    for (int axis = 0; axis < base.size(); axis++) {
      if (atMost(end(axis), other.lowest(axis))
          || atMost(other.end(axis), lowest(axis))
          || interleaves(other, axis)) {
        return true;
      }
    }
    return false;
  }

  /* Both in steps of the same width, from places that no number of steps joins. */
  private boolean interleaves(Box other, int axis) {
    long step = Math.abs(steps.get(axis));
    Affine between = starts.get(axis).minus(other.starts.get(axis));
    return step > 1
        && Math.abs(other.steps.get(axis)) == step
        && between.isConstant()
        && between.constant() % step != 0;
  }

  /// Whether each index of this is in the other, whose base is the same array.
  boolean isInside(Box other) {
    for (int axis = 0; axis < base.size(); axis++) {
      boolean dense = Math.abs(other.steps.get(axis)) == 1;
      boolean same =
          starts.get(axis).equals(other.starts.get(axis))
              && steps.get(axis).equals(other.steps.get(axis))
              && atMost(extents.get(axis), other.extents.get(axis));
      boolean between =
          dense && atMost(other.lowest(axis), lowest(axis)) && atMost(end(axis), other.end(axis));
      if (!same && !between) {
        return false;
      }
    }
    return true;
  }

  private Affine lowest(int axis) {
    long step = steps.get(axis);
    return step > 0 ? starts.get(axis) : starts.get(axis).plus(reach(axis, step));
  }

  /* One past the highest index. */
  private Affine end(int axis) {
    long step = steps.get(axis);
    Affine highest = step > 0 ? starts.get(axis).plus(reach(axis, step)) : starts.get(axis);
    return highest.plus(Affine.ONE);
  }

  private Affine reach(int axis, long step) {
    return extents.get(axis).minus(Affine.ONE).times(step);
  }

  /* At every batch size from 0 up. */
  private static boolean atMost(Affine a, Affine b) {
    return a.constant() <= b.constant() && a.perBatch() <= b.perBatch();
  }
}
