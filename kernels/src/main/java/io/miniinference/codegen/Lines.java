package io.miniinference.codegen;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.List;
import java.util.Optional;

/// An array of any rank as lines of neighbouring elements, one distance apart: a matrix whose rows
/// are all axes but the last.
///
/// @param offset elements before the first line
/// @param stride elements from line to line
public record Lines(Affine offset, Affine stride) {

  /// The lines of an array, if it has them at every batch size.
  public static Optional<Lines> of(IndexFunction index) {
    List<Affine> shape = index.shape();
    if (shape.isEmpty()) {
      return Optional.empty();
    }
    Affine rows = shape.subList(0, shape.size() - 1).stream().reduce(Affine.ONE, Affine::times);
    Affine columns = shape.getLast();
    return index
        .reshape(List.of(rows, columns))
        .filter(m -> columns.isSingle() || isDense(m))
        .map(m -> new Lines(m.offset(), rows.isSingle() ? Affine.ZERO : stride(m)));
  }

  /// Whether each line starts at a multiple of so many elements.
  public boolean isMultipleOf(int elements) {
    return offset.isAlwaysMultipleOf(elements) && stride.isAlwaysMultipleOf(elements);
  }

  private static boolean isDense(IndexFunction matrix) {
    return !matrix.isBlocked() && matrix.axes().get(1).stride().isSingle();
  }

  private static Affine stride(IndexFunction matrix) {
    return matrix.axes().get(0).stride();
  }

  /// Text of the offset of the first element of line `row`.
  public String start(String row) {
    String lines = stride.isZero() ? "" : "(" + row + ") * " + IndexText.affine(stride);
    if (offset.isZero()) {
      return lines.isEmpty() ? "0" : lines;
    }
    return IndexText.affine(offset) + (lines.isEmpty() ? "" : " + " + lines);
  }
}
