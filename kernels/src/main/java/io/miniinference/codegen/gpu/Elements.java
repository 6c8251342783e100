package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.List;

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

  /// Statements that declare the coordinates of the work item's element; work items beyond the last
  /// are done.
  String item() {
    return Statements.of(item(MemoryOrder.decoding(index)), MemoryOrder.zeros(index));
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
    return MemoryOrder.coordinates(index.shape());
  }

  Launch.Groups work() {
    return items(MemoryOrder.decoding(index).count());
  }

  /// As many work items in full work-groups.
  static Launch.Groups items(Affine count) {
    return new Launch.Groups(List.of(new Launch.Extent(count, LOCAL, LOCAL)));
  }
}
