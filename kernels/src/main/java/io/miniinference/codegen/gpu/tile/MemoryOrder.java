package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.Coordinate;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The order in which the elements of an array lie in memory, and the coordinates `i0`, `i1`, …
/// that neighbouring work items have then.
public final class MemoryOrder {
  private MemoryOrder() {}

  /// The axes of more than one index, in the order of memory, outermost first.
  public static List<Integer> axes(IndexFunction index) {
    return axes(index, IntStream.range(0, index.rank()).boxed().toList());
  }

  /// As above, of some axes.
  public static List<Integer> axes(IndexFunction index, List<Integer> axes) {
    return axes.stream()
        .filter(axis -> !index.axes().get(axis).extent().isSingle())
        .sorted(
            Comparator.comparingLong((Integer axis) -> weight(index.axes().get(axis))).reversed())
        .toList();
  }

  /* Strides that grow with the batch are outside those that do not; ties keep logical order. */
  private static long weight(Axis axis) {
    Affine stride = axis.isBlocked() ? axis.outerStride() : axis.stride();
    return stride.isConstant()
        ? Math.abs(stride.constant())
        : Long.MAX_VALUE / 2 + Math.abs(stride.perBatch());
  }

  /// The split of a number into the coordinates of an element, neighbours in the order of memory.
  public static Decoding decoding(IndexFunction index) {
    return Decoding.of(index.shape(), axes(index));
  }

  /// Coordinates `i0`, `i1`, …, zero along axes of one index.
  public static List<Coordinate> coordinates(List<Affine> shape) {
    return IntStream.range(0, shape.size())
        .mapToObj(i -> shape.get(i).isSingle() ? Coordinate.ZERO : Coordinate.of("i" + i))
        .toList();
  }

  /// Declarations of the coordinates along axes of one index, which windows go along, too.
  public static String zeros(IndexFunction index) {
    return IntStream.range(0, index.rank())
        .filter(axis -> index.axes().get(axis).extent().isSingle())
        .mapToObj(axis -> "const long i" + axis + " = 0;")
        .collect(Collectors.joining("\n"));
  }
}
