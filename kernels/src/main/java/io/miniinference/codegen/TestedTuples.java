package io.miniinference.codegen;

import io.miniinference.ir.ElementType;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// OpenCL C text of index tuples that are all tested ahead of a walk over what they name, which
/// then asks as little as it may: nothing where all are in bounds, and nothing is added to an index
/// where none counts from the end, either. Only where one is bad does the walk ask for each.
///
/// The test finds the lowest and the highest of each component in a loop without a branch, which
/// compilers make vectors of.
public final class TestedTuples {
  private final IndexTupleText tuple;
  private final KernelText text;

  TestedTuples(IndexTupleText tuple) {
    this.tuple = tuple;
    text = tuple.text();
  }

  /// Statements for elements whose tuples are tested, if they may be bad and are several.
  ///
  /// @param axes of the moved array that there are loops over; one tuple alone is not tested
  /// @param open opens these loops
  /// @param moved coordinates in the moved array, inside them
  /// @param elements writes the statements, loops included, by the text of tuples that it is given
  public static void write(
      IndexTupleText tuple,
      List<Integer> axes,
      Consumer<List<Integer>> open,
      List<Coordinate> moved,
      Consumer<IndexTupleText> elements) {
    if (!tuple.mayFail() || axes.isEmpty()) {
      elements.accept(tuple);
      return;
    }
    var tested = new TestedTuples(tuple);
    tested.open();
    open.accept(axes);
    tested.test(moved);
    axes.forEach(_ -> tested.text.close());
    tested.walk(elements);
  }

  /// Statements ahead of loops in which tuples are tested.
  void open() {
    components()
        .forEach(c -> text.line(type() + " " + lowest(c) + " = 0, " + highest(c) + " = 0;"));
  }

  /// Statements inside these loops.
  void test(List<Coordinate> moved) {
    components()
        .forEach(c -> {
          String index = "(" + type() + ")" + tuple.index(c, moved);
          if (tuple.bounds().ignored() != null) {
            index = "(" + index + " == " + tuple.ignored() + " ? 0 : " + index + ")";
          }
          text.line(lowest(c) + " = min(" + lowest(c) + ", " + index + ");");
          text.line(highest(c) + " = max(" + highest(c) + ", " + index + ");");
        });
  }

  /// Statements after these loops.
  ///
  /// @param elements writes a walk over all elements by the text of tuples that it is given
  void walk(Consumer<IndexTupleText> elements) {
    text.open("if (" + fits(c -> "0") + ")");
    elements.accept(tuple.inBounds(false));
    if (tuple.bounds().fromEnd()) {
      text.close().open("else if (" + fits(c -> "-" + tuple.size(c)) + ")");
      elements.accept(tuple.inBounds(true));
    }
    text.close().open("else");
    elements.accept(tuple);
    text.close();
  }

  private String fits(IntFunction<String> start) {
    return components()
        .mapToObj(
            c -> lowest(c) + " >= " + start.apply(c) + " && " + highest(c) + " < " + tuple.size(c))
        .collect(Collectors.joining(" && "));
  }

  /* Twice as many of the narrower ones go into a vector. */
  private String type() {
    return tuple.indexType() == ElementType.I32 ? "int" : "long";
  }

  private IntStream components() {
    return tuple.components();
  }

  private static String lowest(int component) {
    return "lowest" + component;
  }

  private static String highest(int component) {
    return "highest" + component;
  }
}
