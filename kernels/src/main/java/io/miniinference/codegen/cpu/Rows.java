package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.RowOperand;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One work item per row: a row is what the inner axes span at fixed other axes.
///
/// @param shape logical shape
/// @param inner axes inside a row
record Rows(List<Affine> shape, List<Integer> inner) implements RowOperand.Walk {
  /// Elements of rows that are computed, below which a second worker costs more than it saves.
  private static final long GRAIN_ELEMENTS = 512;

  Affine items() {
    Affine items = Affine.ONE;
    for (int i = 0; i < shape.size(); i++) {
      items = inner.contains(i) ? items : items.times(shape.get(i));
    }
    return items;
  }

  Launch.Items work() {
    return work(GRAIN_ELEMENTS);
  }

  /// @param grainElements elements below which a second worker costs more than it saves
  Launch.Items work(long grainElements) {
    long row = 1;
    for (int axis : inner) {
      row *= shape.get(axis).isConstant() ? Math.max(1, shape.get(axis).constant()) : 64;
    }
    return new Launch.Items(items(), (int) Math.max(1, grainElements / row));
  }

  private static final Template ITEM =
      Template.of(
          "row of a work item",
          """
          long item = (long)@globalId + first;
          if (item >= $items) return;
          $coordinates
          """);

  private static final Template COORDINATE =
      Template.of("coordinate of a row", "const long i$axis = item % $extent; item /= $extent;");

  private static final Template LOOP =
      Template.of(
          "loop over a row",
          """
          for (long i$axis = 0; i$axis < $extent; i$axis++) {
            $body
          }
          """);

  /// Statements that decode the work item into the outer axes' variables.
  String item() {
    String coordinates =
        IntStream.range(0, shape.size())
            .map(i -> shape.size() - 1 - i)
            .filter(axis -> !inner.contains(axis))
            .mapToObj(axis -> at(COORDINATE, axis).text())
            .collect(Collectors.joining("\n"));
    return ITEM.with("items", IndexText.affine(items())).with("coordinates", coordinates).text();
  }

  private Template.Filling at(Template template, int axis) {
    return template.with("axis", axis).with("extent", IndexText.affine(shape.get(axis)));
  }

  /// One: a row is a work item's.
  @Override
  public int local() {
    return 1;
  }

  @Override
  public String row(String body) {
    return over(inner, body);
  }

  /// `body` in loops over some axes of the row.
  String over(List<Integer> axes, String body) {
    String text = body;
    for (int axis : axes.reversed()) {
      text = at(LOOP, axis).with("body", text).text();
    }
    return text;
  }

  @Override
  public List<Coordinate> coordinates() {
    List<Coordinate> result = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      result.add(Coordinate.of("i" + i));
    }
    return result;
  }

  /// Text of the number of elements of a row.
  String length() {
    Affine length = Affine.ONE;
    for (int axis : inner) {
      length = length.times(shape.get(axis));
    }
    return IndexText.affine(length);
  }
}
