package io.miniinference.codegen.gpu.whole;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.List;
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

  /// `body` for each element of an array, in the order of its memory, at [MemoryOrder#coordinates].
  static String each(IndexFunction index, Object body) {
    return each(MemoryOrder.decoding(index), MemoryOrder.zeros(index), body);
  }

  /// `body` for each element of a shape, in row-major order, at [MemoryOrder#coordinates].
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
