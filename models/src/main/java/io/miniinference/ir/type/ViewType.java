package io.miniinference.ir.type;

import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// The type of a view's result. What does not fit is an [IllegalArgumentException] with the reason,
/// to which [OpType] adds operator and operand.
public final class ViewType {
  private ViewType() {}

  static TensorType of(Movement map, TensorType x) {
    return x.withShape(
        switch (map) {
          case Movement.Reshape reshape -> reshape(reshape.shape(), x);
          case Movement.Transpose transpose -> transpose(transpose.permutation(), x);
          case Movement.Slice slice -> slice(slice, x);
          case Movement.Expand expand -> expand(expand.shape(), x);
        });
  }

  /// Whether a (valid) view gives the operand itself, every element at its own index.
  public static boolean isIdentity(Movement map, TensorType x) {
    return switch (map) {
      case Movement.Reshape reshape -> reshape.shape().equals(x.shape());
      case Movement.Expand expand -> expand.shape().equals(x.shape());
      case Movement.Transpose transpose ->
          IntStream.range(0, x.rank()).allMatch(i -> transpose.permutation().get(i) == i);
      case Movement.Slice slice ->
          slice.extents().equals(x.shape())
              && slice.starts().stream().allMatch(Affine::isZero)
              && slice.steps().stream().allMatch(s -> s == 1);
    };
  }

  private static List<Affine> reshape(List<Affine> shape, TensorType x) {
    require(
        Shapes.sameElements(x.shape(), shape),
        () -> shape + " has not as many elements at every N");
    return shape;
  }

  private static List<Affine> expand(List<Affine> shape, TensorType x) {
    require(Shapes.broadcastsTo(x.shape(), shape), () -> "does not broadcast to " + shape);
    return shape;
  }

  private static List<Affine> transpose(List<Integer> permutation, TensorType x) {
    List<Affine> shape = new ArrayList<>();
    require(
        permutation.size() == x.rank() && new HashSet<>(permutation).size() == x.rank(),
        () -> permutation + " is no permutation of " + x.rank() + " axes");
    for (int axis : permutation) {
      require(axis >= 0 && axis < x.rank(), () -> permutation + " has no axis " + axis);
      shape.add(x.dim(axis));
    }
    return shape;
  }

  private static List<Affine> slice(Movement.Slice slice, TensorType x) {
    int rank = x.rank();
    require(
        slice.starts().size() == rank
            && slice.steps().size() == rank
            && slice.extents().size() == rank,
        () -> "start, step and extent are needed for each of " + rank + " axes");
    for (int axis = 0; axis < rank; axis++) {
      Affine extent = slice.extents().get(axis);
      long step = slice.steps().get(axis);
      int at = axis;
      require(step != 0, () -> "axis " + at + " has step 0");
      Affine first = slice.starts().get(axis);
      Affine last = first.plus(extent.minus(Affine.ONE).times(step));
      require(
          extent.isZero() || (inside(first, x.dim(axis)) && inside(last, x.dim(axis))),
          () -> "axis " + at + " has indices " + first + " to " + last + " of " + x.dim(at));
    }
    return slice.extents();
  }

  /* Whether 0 ≤ index < bound at every batch size from 1 on. */
  private static boolean inside(Affine index, Affine bound) {
    return atLeastZero(index) && atLeastZero(bound.minus(index).minus(Affine.ONE));
  }

  private static boolean atLeastZero(Affine value) {
    return value.perBatch() >= 0 && value.at(1) >= 0;
  }

  private static void require(boolean ok, Supplier<String> reason) {
    if (!ok) {
      throw new IllegalArgumentException(reason.get());
    }
  }
}
