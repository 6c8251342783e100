package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.RowOperand;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;

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

  /// Decodes the work item into the outer axes' variables.
  void openItem(KernelText text) {
    text.line("long item = (long)@globalId + first;");
    text.line("if (item >= " + IndexText.affine(items()) + ") return;");
    for (int i = shape.size() - 1; i >= 0; i--) {
      if (!inner.contains(i)) {
        String extent = IndexText.affine(shape.get(i));
        text.line("const long i" + i + " = item % " + extent + "; item /= " + extent + ";");
      }
    }
  }

  /// One: a row is a work item's.
  @Override
  public int local() {
    return 1;
  }

  /// Opens the loops over the row.
  @Override
  public void openRow(KernelText text) {
    open(text, inner);
  }

  /// Opens the loops over some axes of the row.
  void open(KernelText text, List<Integer> axes) {
    for (int axis : axes) {
      String extent = IndexText.affine(shape.get(axis));
      text.open("for (long i" + axis + " = 0; i" + axis + " < " + extent + "; i" + axis + "++)");
    }
  }

  @Override
  public void closeRow(KernelText text) {
    inner.forEach(_ -> text.close());
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
