package io.miniinference.codegen.gpu;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;

/// The split of a linear number into coordinates, outermost first. What is left below the outermost
/// coordinate is split in 32 bits where it fits: a GPU divides 64 bits by calling a function.
record Decoding(List<Coordinate> coordinates) {

  /// A variable and the number of its values.
  record Coordinate(String name, Affine extent) {}

  Decoding {
    coordinates = List.copyOf(coordinates);
  }

  /// Coordinates `i0`, `i1`, … of some axes of a shape.
  ///
  /// @param order axes, outermost first
  static Decoding of(List<Affine> shape, List<Integer> order) {
    List<Coordinate> coordinates = new ArrayList<>();
    order.forEach(axis -> coordinates.add(new Coordinate("i" + axis, shape.get(axis))));
    return new Decoding(coordinates);
  }

  /// The number of numbers.
  Affine count() {
    return coordinates.stream().map(Coordinate::extent).reduce(Affine.ONE, Affine::times);
  }

  /// Declares the coordinates of the number in `variable`, a `long`.
  void write(KernelText text, String variable) {
    if (coordinates.isEmpty()) {
      return;
    }
    Affine below = count(coordinates.subList(1, coordinates.size()));
    Coordinate outermost = coordinates.getFirst();
    if (coordinates.size() == 1) {
      text.line("const long " + outermost.name() + " = " + variable + ";");
    } else if (fits(below)) {
      String size = IndexText.divisor(below);
      text.line("const long " + outermost.name() + " = " + variable + " / " + size + ";");
      String rest = outermost.name() + "_rest";
      text.line("const uint " + rest + " = (uint)(" + variable + " % " + size + ");");
      split(text, rest, "u");
    } else {
      text.line(
          "const long "
              + outermost.name()
              + " = "
              + variable
              + " / ("
              + IndexText.affine(below)
              + ");");
      split(text, variable, "");
    }
  }

  private void split(KernelText text, String variable, String suffix) {
    for (int i = 1; i < coordinates.size(); i++) {
      Coordinate c = coordinates.get(i);
      Affine below = count(coordinates.subList(i + 1, coordinates.size()));
      String divided =
          below.equals(Affine.ONE)
              ? variable
              : variable + " / " + IndexText.divisor(below) + suffix;
      text.line(
          "const long "
              + c.name()
              + " = "
              + divided
              + " % "
              + IndexText.divisor(c.extent())
              + suffix
              + ";");
    }
  }

  private static Affine count(List<Coordinate> coordinates) {
    return new Decoding(coordinates).count();
  }

  private static boolean fits(Affine size) {
    return size.isConstant() && size.constant() <= Integer.MAX_VALUE;
  }
}
