package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.List;

/// The last axis of an `f32` array, or several of them whose elements are neighbours, as a kernel
/// with these in the lanes of its vectors goes over them: sixteen neighbours at a time, or one
/// value for all of them.
///
/// @param pointer of the array
/// @param index how it lies
/// @param shape its own, which broadcasts to that of the result
/// @param axes how many last axes of the result a row is
public record LaneRow(String pointer, IndexFunction index, List<Affine> shape, int axes) {
  private static final int LANES = VectorText.LANES;

  /// The last axis alone.
  public LaneRow(String pointer, IndexFunction index, List<Affine> shape) {
    this(pointer, index, shape, 1);
  }

  /// Whether the last axis of an array lies so: neighbours in memory, or in blocks of sixteen.
  public static boolean suits(IndexFunction index) {
    if (index.rank() == 0) {
      return false;
    }
    Axis last = index.axes().getLast();
    boolean isDense = last.stride().equals(Affine.ONE) && last.extent().isConstant();
    boolean isKnown = !last.isBlocked() || last.outerStride().isConstant();
    return isDense && isKnown && (!last.isBlocked() || last.block() == LANES);
  }

  /// Whether the elements along an axis of an array are neighbours in memory.
  public static boolean areNeighbours(IndexFunction index, int axis) {
    Axis along = index.axes().get(axis);
    return !along.isBlocked() && along.stride().equals(Affine.ONE) && along.extent().isConstant();
  }

  /// Whether the elements of several last axes, taken as one, are neighbours in memory; of one
  /// axis, as above.
  public static boolean suits(IndexFunction index, int axes) {
    if (axes == 1) {
      return suits(index);
    }
    Affine stride = Affine.ONE;
    for (int i = index.rank() - 1; i >= index.rank() - axes; i--) {
      Axis axis = index.axes().get(i);
      if (axis.isBlocked() || !axis.extent().isConstant() || !axis.stride().equals(stride)) {
        return false;
      }
      stride = stride.times(axis.extent());
    }
    return true;
  }

  /// Whether an operand of a shape of its own has one value for each row.
  public static boolean isOne(List<Affine> shape) {
    return shape.isEmpty() || shape.getLast().isSingle();
  }

  /// Whether it has one value for each row of so many last axes.
  public static boolean isOne(List<Affine> shape, int axes) {
    return shape.stream().skip(Math.max(0, shape.size() - axes)).allMatch(Affine::isSingle);
  }

  private long step() {
    Axis last = index.axes().getLast();
    return last.isBlocked() ? last.outerStride().constant() : LANES;
  }

  /// Text of the element at which the row begins.
  ///
  /// @param result shape of the result
  /// @param at coordinates of the row in it
  public String start(List<Affine> result, List<Coordinate> at) {
    List<Coordinate> first = new ArrayList<>(at);
    for (int i = 1; i <= axes; i++) {
      first.set(first.size() - i, Coordinate.ZERO);
    }
    return IndexText.offset(index, IndexText.broadcast(shape, result, first));
  }

  /// Text of the pointer to vector number `v` of a row that begins at element `start`.
  public String place(String start, String v) {
    return pointer + " + " + start + " + " + v + " * " + step() + "L";
  }

  /// Text of that vector, or of the one value for all of it.
  public String load(String start, String v) {
    return isOne(shape, axes)
        ? "@splat(16, " + pointer + "[" + start + "])"
        : "@load(16, 0, " + place(start, v) + ")";
  }

  /// Text of that vector at `at` and the input's number, or of the copy `rest` and the number that
  /// a kernel made of the last elements of the row, where these are no whole vector.
  public String load(int input, String v, boolean ofRest) {
    return ofRest && !isOne(shape, axes)
        ? "@load(16, 0, rest" + input + ")"
        : load("at" + input, v);
  }
}
