package io.miniinference.codegen.gpu.whole;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Text of loops in which the work items of a work-group share out places.
final class Places {
  private static final Template EACH =
      Template.of(
          "loop over places",
          """
          for (int item = t; item < (int)$count; item += $items) {
            $coordinates
            $body
          }
          """);

  private Places() {}

  /// The axes of more than one index, outermost in memory first.
  static List<Integer> inMemory(IndexFunction index) {
    return IntStream.range(0, index.rank())
        .boxed()
        .filter(axis -> !index.axes().get(axis).extent().isSingle())
        .sorted(
            Comparator.comparingLong((Integer axis) -> distance(index.axes().get(axis))).reversed())
        .toList();
  }

  /* Rows are outermost. */
  private static long distance(Axis axis) {
    return axis.extent().isConstant() ? axis.stride().asConstant() : Long.MAX_VALUE;
  }

  /// Coordinates `i0`, `i1`, … of a shape, zero along axes of one index.
  static List<Coordinate> coordinates(List<Affine> shape) {
    return IntStream.range(0, shape.size())
        .mapToObj(i -> shape.get(i).isSingle() ? Coordinate.ZERO : Coordinate.of("i" + i))
        .toList();
  }

  /// `body` for each element of an array, in the order of its memory, at [#coordinates].
  static String each(IndexFunction index, Object body) {
    return each(Decoding.of(index.shape(), inMemory(index)), zeros(index), body);
  }

  /* Axes of one index, which windows go along, too. */
  private static String zeros(IndexFunction index) {
    return IntStream.range(0, index.rank())
        .filter(axis -> index.axes().get(axis).extent().isSingle())
        .mapToObj(axis -> "const long i" + axis + " = 0;")
        .collect(Collectors.joining("\n"));
  }

  /// `body` for each element of a shape, in row-major order, at [#coordinates].
  static String inOrder(List<Affine> shape, Object body) {
    List<Integer> axes =
        IntStream.range(0, shape.size()).boxed().filter(i -> !shape.get(i).isSingle()).toList();
    return each(Decoding.of(shape, axes), "", body);
  }

  /// `body` for each of the places that a number is split into.
  ///
  /// @param more declarations ahead of it
  static String each(Decoding places, String more, Object body) {
    return EACH.with("count", IndexText.affine(places.count()))
        .with("items", Stage.ITEMS)
        .with("coordinates", Statements.of(places.declarations("item"), more))
        .with("body", body)
        .text();
  }
}
