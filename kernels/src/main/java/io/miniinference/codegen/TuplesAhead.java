package io.miniinference.codegen;

import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/// OpenCL C text of a loop over an axis of the moved array of a Scatter, in which some index tuples
/// at a time are read ahead of what is done with them. A store might change what the next tuple is,
/// for all that a compiler knows, so that it would wait for each.
public final class TuplesAhead {
  private static final long MOST = 8;

  private static final Template LOOP =
      Template.of(
          "tuples ahead",
          """
          for (long ${element}_first = 0; ${element}_first < $extent; ${element}_first += $count) {
            $arrays
            @unroll
            for (int k = 0; k < $count; k++) {
              $reads
            }
            @unroll
            for (int k = 0; k < $count; k++) {
              const long $element = ${element}_first + k;
              $tuple
              $body
            }
          }
          """);

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
    element = "i" + axis;
    count = extent.isConstant() && !extent.isOpen() ? Math.clamp(extent.constant(), 1, MOST) : MOST;
  }

  /// The loop around `body`, to which the coordinate on the axis and the tuple `v0`, `v1`, … are
  /// declared.
  ///
  /// @param moved coordinates in the moved array
  public String over(List<Coordinate> moved, String body) {
    List<Coordinate> next = new ArrayList<>(moved);
    next.set(axis, Coordinate.of(next()));
    return LOOP.with("element", element)
        .with("extent", IndexText.affine(extent))
        .with("count", count)
        .with("arrays", each(c -> "long ahead%d[%d];".formatted(c, count)))
        .with("reads", each(c -> "ahead%d[k] = (long)%s;".formatted(c, tuple.index(c, next))))
        .with("tuple", each(c -> "const long v%1$d = ahead%1$d[k];".formatted(c)))
        .with("body", body)
        .text();
  }

  /* The coordinate of the tuple that is read in turn, the last one again behind the end. */
  private String next() {
    String next = element + "_first + k";
    return isWhole()
        ? "(" + next + ")"
        : "min(" + next + ", (long)" + IndexText.affine(extent) + " - 1)";
  }

  private String each(IntFunction<String> statement) {
    return tuple.components().mapToObj(statement).collect(Collectors.joining("\n"));
  }

  /// Text of whether the tuple is not behind the last one, with what else is to be true.
  public String isThereAnd(String also) {
    return isWhole() ? also : element + " < " + IndexText.affine(extent) + " && " + also;
  }

  private boolean isWhole() {
    return extent.isConstant() && extent.isAlwaysMultipleOf(count);
  }
}
