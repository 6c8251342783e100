package io.miniinference.codegen;

import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.List;

/// OpenCL C text of sizes and element offsets. The batch size is the kernel argument `n`.
public final class IndexText {
  private IndexText() {}

  /// `7`, `(5*(long)n)` or `(7+5*(long)n)`.
  public static String affine(Affine value) {
    if (value.isConstant()) {
      return Long.toString(value.constant());
    }
    boolean isBatch = value.perBatch() == 1 && !value.isOpen();
    String batch = isBatch ? "(long)n" : value.perBatch() + "*(long)n";
    return value.constant() == 0 ? "(" + batch + ")" : "(" + value.constant() + "+" + batch + ")";
  }

  /// As [#affine], and 1 where that is 0: to divide by. Nothing is launched over an extent of zero,
  /// but its text must compile.
  public static String divisor(Affine value) {
    return value.isZero() ? "1" : affine(value);
  }

  /// `size / unit`, rounded up, where a size differs from request to request: a quotient in its
  /// place would be taken for a number that all sizes have if a few have it.
  public static String quotient(long size, long unit) {
    return "((%d + %d) / %d)".formatted(size, unit - 1, unit);
  }

  /// The row-major position of an element.
  public static String position(List<Affine> shape, List<Coordinate> at) {
    String text = "0L";
    for (int i = 0; i < shape.size(); i++) {
      text = "(" + text + " * " + affine(shape.get(i)) + " + " + at.get(i).whole() + ")";
    }
    return text;
  }

  /// The coordinates of the element at a row-major position.
  public static List<Coordinate> coordinates(List<Affine> shape, String position) {
    List<Coordinate> result = new ArrayList<>();
    Affine below = Affine.ONE;
    for (int i = shape.size() - 1; i >= 0; i--) {
      String divided = below.isSingle() ? position : position + " / " + divisor(below);
      String whole = i == 0 ? divided : "(" + divided + ") % " + divisor(shape.get(i));
      result.addFirst(Coordinate.of("(" + whole + ")"));
      below = below.times(shape.get(i));
    }
    return result;
  }

  /// The element offset of the element at `coordinates`.
  public static String offset(IndexFunction index, List<Coordinate> coordinates) {
    List<String> terms = new ArrayList<>();
    if (!index.offset().isZero()) {
      terms.add(affine(index.offset()));
    }
    for (int i = 0; i < coordinates.size(); i++) {
      term(index.axes().get(i), coordinates.get(i), terms);
    }
    return terms.isEmpty() ? "0" : String.join(" + ", terms);
  }

  private static void term(Axis axis, Coordinate at, List<String> terms) {
    if (at.isZero() || axis.extent().isSingle()) {
      return;
    }
    if (!axis.isBlocked()) {
      product(at.whole(), axis.stride(), terms);
    } else if (at.block() == axis.block()) {
      product(at.outer(), axis.outerStride(), terms);
      product(at.inner(), axis.stride(), terms);
    } else {
      product("(" + at.whole() + ") / " + axis.block(), axis.outerStride(), terms);
      product("(" + at.whole() + ") % " + axis.block(), axis.stride(), terms);
    }
  }

  private static void product(String coordinate, Affine stride, List<String> terms) {
    if (stride.isZero() || coordinate.equals("0")) {
      return;
    }
    terms.add(stride.isSingle() ? coordinate : "(" + coordinate + ")*" + affine(stride));
  }

  /// Coordinates of an operand of shape `operand` under numpy broadcasting to an output whose
  /// coordinates are given: aligned at the last axis, 0 along axes of extent 1.
  public static List<Coordinate> broadcast(
      List<Affine> operand, List<Affine> output, List<Coordinate> coordinates) {
    List<Coordinate> result = new ArrayList<>();
    int skip = output.size() - operand.size();
    for (int i = 0; i < operand.size(); i++) {
      boolean repeated = isRepeated(operand.get(i), output.get(skip + i));
      result.add(repeated ? Coordinate.ZERO : coordinates.get(skip + i));
    }
    return result;
  }

  /// Whether an operand's axis is of extent 1 for an axis of the output of another extent, or for
  /// one that is so in every request.
  public static boolean isRepeated(Affine operand, Affine output) {
    return operand.equals(Affine.ONE) && (operand.isSingle() || !output.equals(Affine.ONE));
  }
}
