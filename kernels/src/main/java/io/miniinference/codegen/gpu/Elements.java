package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One work item per element of an array, neighbours in the order of its memory.
record Elements(IndexFunction index) {
  /// What a work item owns, for readers.
  static final String ABOUT =
      """
      A work item owns one element of the result; neighbouring work items have neighbours in the order of its memory,
      so that they store, and as far as layouts agree read, side by side.
      """;

  /// Work items of a work-group.
  static final int LOCAL = 128;

  /// The axes of more than one index, in the order of memory, outermost first.
  static List<Integer> memoryOrder(IndexFunction index, List<Integer> axes) {
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

  private Decoding decoding() {
    List<Integer> axes = IntStream.range(0, index.rank()).boxed().toList();
    return Decoding.of(index.shape(), memoryOrder(index, axes));
  }

  /// Statements that declare the coordinates of the work item's element; work items beyond the last
  /// are done.
  String item() {
    return Statements.of(item(decoding()), zeros(index));
  }

  /// Declarations of the coordinates along axes of one index.
  static String zeros(IndexFunction index) {
    return IntStream.range(0, index.rank())
        .filter(axis -> index.axes().get(axis).extent().isSingle())
        .mapToObj(axis -> "const long i" + axis + " = 0;")
        .collect(Collectors.joining("\n"));
  }

  private static final Template ITEM =
      Template.of(
          "place of a work item",
          """
          const long item = ((long)first + @groupId(0)) * $local + @localId;
          if (item >= $count) return;
          $coordinates
          """);

  /// Statements that declare the coordinates of one work item of many.
  static String item(Decoding decoding) {
    return ITEM.with("local", LOCAL)
        .with("count", IndexText.affine(decoding.count()))
        .with("coordinates", decoding.declarations("item"))
        .text();
  }

  /// The logical coordinates of the element.
  List<Coordinate> coordinates() {
    return coordinates(index.shape());
  }

  /// Coordinates `i0`, `i1`, …, zero along axes of one index.
  static List<Coordinate> coordinates(List<Affine> shape) {
    return IntStream.range(0, shape.size())
        .mapToObj(i -> shape.get(i).isSingle() ? Coordinate.ZERO : Coordinate.of("i" + i))
        .toList();
  }

  Launch.Groups work() {
    return items(decoding().count());
  }

  /// As many work items in full work-groups.
  static Launch.Groups items(Affine count) {
    return new Launch.Groups(List.of(new Launch.Extent(count, LOCAL, LOCAL)));
  }
}
