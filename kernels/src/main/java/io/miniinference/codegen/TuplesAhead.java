package io.miniinference.codegen;

import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;

/// OpenCL C text of a loop over an axis of the moved array of a Scatter, in which some index tuples
/// at a time are read ahead of what is done with them. A store might change what the next tuple is,
/// for all that a compiler knows, so that it would wait for each.
public final class TuplesAhead {
  private static final long MOST = 8;

  private final KernelText text;
  private final IndexTupleText tuple;
  private final int axis;
  private final String element;
  private final Affine extent;
  private final long count;

  /// @param axis of the moved array
  /// @param extent how many tuples are along that axis
  public TuplesAhead(IndexTupleText tuple, int axis, Affine extent) {
    this.tuple = tuple;
    this.axis = axis;
    this.extent = extent;
    text = tuple.text();
    element = "i" + axis;
    count = extent.isConstant() ? Math.clamp(extent.constant(), 1, MOST) : MOST;
  }

  /// Opens the loop, in which the coordinate on the axis and the tuple `v0`, `v1`, … are declared.
  ///
  /// @param moved coordinates in the moved array
  public void open(List<Coordinate> moved) {
    String first = element + "_first";
    String end = IndexText.affine(extent);
    text.open("for (long %s = 0; %s < %s; %s += %d)".formatted(first, first, end, first, count));
    tuple.components().forEach(c -> text.line("long " + ahead(c) + "[" + count + "];"));
    openEach();
    String next = first + " + k";
    List<Coordinate> at = new ArrayList<>(moved);
    at.set(
        axis,
        Coordinate.of(isWhole() ? "(" + next + ")" : "min(" + next + ", (long)" + end + " - 1)"));
    tuple
        .components()
        .forEach(c -> text.line(ahead(c) + "[k] = (long)" + tuple.index(c, at) + ";"));
    text.close();
    openEach();
    text.line("const long " + element + " = " + next + ";");
    tuple.components().forEach(c -> text.line("const long v" + c + " = " + ahead(c) + "[k];"));
  }

  private void openEach() {
    text.line("@unroll");
    text.open("for (int k = 0; k < " + count + "; k++)");
  }

  /// Text of whether the tuple is not behind the last one, with what else is to be true.
  public String isThereAnd(String also) {
    return isWhole() ? also : element + " < " + IndexText.affine(extent) + " && " + also;
  }

  private boolean isWhole() {
    return extent.isConstant() && extent.constant() % count == 0;
  }

  /// Closes the loop.
  public void close() {
    text.close().close();
  }

  private static String ahead(int component) {
    return "ahead" + component;
  }
}
