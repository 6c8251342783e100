package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Template;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;

/// The split of a linear number into coordinates, outermost first. What is left below the outermost
/// coordinate is split in 32 bits where it fits: a GPU divides 64 bits by calling a function.
public record Decoding(List<Coordinate> coordinates) {

  /// A variable and the number of its values.
  public record Coordinate(String name, Affine extent) {}

  public Decoding {
    coordinates = List.copyOf(coordinates);
  }

  /// Coordinates `i0`, `i1`, … of some axes of a shape.
  ///
  /// @param order axes, outermost first
  public static Decoding of(List<Affine> shape, List<Integer> order) {
    List<Coordinate> coordinates = new ArrayList<>();
    order.forEach(axis -> coordinates.add(new Coordinate("i" + axis, shape.get(axis))));
    return new Decoding(coordinates);
  }

  /// The number of numbers.
  public Affine count() {
    return coordinates.stream().map(Coordinate::extent).reduce(Affine.ONE, Affine::times);
  }

  private static final Template NARROW =
      Template.of(
          "decoding in 32 bits",
          """
          const long $outermost = $number / $below;
          const uint ${outermost}_rest = (uint)($number % $below);
          """);

  /// Declarations of the coordinates of the number in `variable`, a `long`.
  public String declarations(String variable) {
    if (coordinates.isEmpty()) {
      return "";
    }
    Affine below = count(coordinates.subList(1, coordinates.size()));
    String outermost = coordinates.getFirst().name();
    if (coordinates.size() == 1) {
      return "const long %s = %s;".formatted(outermost, variable);
    }
    if (!fits(below)) {
      String size = IndexText.affine(below);
      return "const long %s = %s / (%s);\n".formatted(outermost, variable, size)
          + split(variable, "");
    }
    return NARROW
            .with("outermost", outermost)
            .with("number", variable)
            .with("below", IndexText.divisor(below))
            .text()
        + "\n"
        + split(outermost + "_rest", "u");
  }

  private String split(String variable, String suffix) {
    List<String> lines = new ArrayList<>();
    for (int i = 1; i < coordinates.size(); i++) {
      Coordinate c = coordinates.get(i);
      Affine below = count(coordinates.subList(i + 1, coordinates.size()));
      String divided =
          below.isSingle() ? variable : variable + " / " + IndexText.divisor(below) + suffix;
      String extent = IndexText.divisor(c.extent()) + suffix;
      lines.add("const long %s = %s %% %s;".formatted(c.name(), divided, extent));
    }
    return String.join("\n", lines);
  }

  private static Affine count(List<Coordinate> coordinates) {
    return new Decoding(coordinates).count();
  }

  private static boolean fits(Affine size) {
    return size.isConstant() && size.constant() <= Integer.MAX_VALUE;
  }
}
