package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What a work item makes of the sums of four channels of a pixel, at `i0`, `i2` and `i3`, the
/// first of them at `i1`.
public final class FourResults {
  private static final Template PART =
      Template.of(
          "one of four results",
          """
          {
            const float result = $sums.$part;
            r.$part = $epilogue;
          }
          """);

  private FourResults() {}

  /// The logical coordinates of one of them.
  public static List<Coordinate> at(int lane) {
    return List.of(
        Coordinate.of("i0"),
        Coordinate.of(lane == 0 ? "i1" : "(i1 + " + lane + ")"),
        Coordinate.of("i2"),
        Coordinate.of("i3"));
  }

  /// Statements that set the parts of the variable `r`.
  ///
  /// @param sums text of a `float4`
  public static String parts(StepText s, String sums) {
    return eachLane(lane ->
        PART.with("sums", sums)
            .with("part", TiledProduct.PARTS.charAt(lane))
            .with("epilogue", s.epilogue("result", s.element(0), at(lane)))
            .text());
  }

  /// A line for each of the four.
  public static String eachLane(IntFunction<String> text) {
    return IntStream.range(0, 4).mapToObj(text).collect(Collectors.joining("\n"));
  }
}
