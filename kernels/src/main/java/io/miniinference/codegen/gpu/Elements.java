package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.Comparator;
import java.util.List;
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
        .filter(axis -> !index.axes().get(axis).extent().equals(Affine.ONE))
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

  /// Declares the coordinates of the work item's element; work items beyond the last are done.
  void open(KernelText text) {
    openItem(text, decoding());
    for (int i = 0; i < index.rank(); i++) {
      if (index.axes().get(i).extent().equals(Affine.ONE)) {
        text.line("const long i" + i + " = 0;");
      }
    }
  }

  /// Declares the coordinates of one work item of many.
  static void openItem(KernelText text, Decoding decoding) {
    text.line("const long item = ((long)first + @groupId(0)) * " + LOCAL + " + @localId;");
    text.line("if (item >= " + IndexText.affine(decoding.count()) + ") return;");
    decoding.write(text, "item");
  }

  /// The logical coordinates of the element.
  List<Coordinate> coordinates() {
    return coordinates(index.shape());
  }

  /// Coordinates `i0`, `i1`, …, zero along axes of one index.
  static List<Coordinate> coordinates(List<Affine> shape) {
    return IntStream.range(0, shape.size())
        .mapToObj(i -> shape.get(i).equals(Affine.ONE) ? Coordinate.ZERO : Coordinate.of("i" + i))
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
