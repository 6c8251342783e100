package io.miniinference.codegen;

import io.miniinference.ir.ElementType;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// OpenCL C text of index tuples that are all tested ahead of a walk over what they name, which
/// then asks as little as it may: nothing where all are in bounds, and nothing is added to an index
/// where none counts from the end, either. Only where one is bad does the walk ask for each.
///
/// The test finds the lowest and the highest of each component in a loop without a branch, which
/// compilers make vectors of.
public final class TestedTuples {
  private static final Template LIMITS =
      Template.of("limits of a component", "$type lowest$component = 0, highest$component = 0;");

  private static final Template TEST =
      Template.of(
          "test of a component",
          """
          lowest$component = min(lowest$component, $index);
          highest$component = max(highest$component, $index);
          """);

  private static final Template FITS =
      Template.of("component in bounds", "lowest$component >= $start && highest$component < $size");

  private static final Template WALK =
      Template.of(
          "walk over tested tuples",
          """
          if ($isInside) {
            $inside
          $fromEnd
          } else {
            $any
          }
          """);

  private static final Template FROM_END =
      Template.of(
          "walk from either end",
          """
          } else if ($isInside) {
            $inside
          """);

  private final IndexTupleText tuple;

  TestedTuples(IndexTupleText tuple) {
    this.tuple = tuple;
  }

  /// Statements for elements whose tuples are tested, if they may be bad and are several.
  ///
  /// @param axes of the moved array that there are loops over; one tuple alone is not tested
  /// @param loops has statements inside these loops
  /// @param moved coordinates in the moved array, inside them
  /// @param elements the statements, loops included, by the text of tuples that it is given
  public static String write(
      IndexTupleText tuple,
      List<Integer> axes,
      UnaryOperator<String> loops,
      List<Coordinate> moved,
      Function<IndexTupleText, String> elements) {
    if (!tuple.mayFail() || axes.isEmpty()) {
      return elements.apply(tuple);
    }
    var tested = new TestedTuples(tuple);
    return Statements.of(tested.open(), loops.apply(tested.test(moved)), tested.walk(elements));
  }

  /// Statements ahead of loops in which tuples are tested.
  String open() {
    return each(c -> LIMITS.with("type", type()).with("component", c).text(), "\n");
  }

  /// Statements inside these loops.
  String test(List<Coordinate> moved) {
    return each(c -> TEST.with("component", c).with("index", tested(c, moved)).text(), "\n");
  }

  private String tested(int component, List<Coordinate> moved) {
    String index = "(" + type() + ")" + tuple.index(component, moved);
    return tuple.bounds().ignored() == null
        ? index
        : "(" + index + " == " + tuple.ignored() + " ? 0 : " + index + ")";
  }

  /// Statements after these loops.
  ///
  /// @param elements a walk over all elements by the text of tuples that it is given
  String walk(Function<IndexTupleText, String> elements) {
    String inside = elements.apply(tuple.inBounds(false));
    return WALK.with("isInside", fits(c -> "0"))
        .with("inside", inside)
        .with("fromEnd", tuple.bounds().fromEnd() ? fromEnd(elements) : "")
        .with("any", elements.apply(tuple))
        .text();
  }

  private String fromEnd(Function<IndexTupleText, String> elements) {
    return FROM_END
        .with("isInside", fits(c -> "-" + tuple.size(c)))
        .with("inside", elements.apply(tuple.inBounds(true)))
        .text();
  }

  private String fits(IntFunction<String> start) {
    return each(
        c ->
            FITS.with("component", c)
                .with("start", start.apply(c))
                .with("size", tuple.size(c))
                .text(),
        " && ");
  }

  private String each(IntFunction<String> text, String between) {
    return tuple.components().mapToObj(text).collect(Collectors.joining(between));
  }

  /* Twice as many of the narrower ones go into a vector. */
  private String type() {
    return tuple.indexType() == ElementType.I32 ? "int" : "long";
  }
}
