package io.miniinference.codegen.gpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One work item per few `float4`s of an `f32` array, neighbours in the order of its memory: their
/// place is worked out once, and they are loaded and stored sixteen bytes at a time.
///
/// @param index the array that is written
/// @param axis its innermost axis in memory
/// @param vectors `float4`s of a work item
record Lanes(IndexFunction index, int axis, int vectors) {

  /// Lanes over the output of a step, if it is floats in whole and aligned `float4`s.
  static Optional<Lanes> over(LoweredStep step) {
    IndexFunction index = step.output().index();
    List<Integer> order = MemoryOrder.axes(index);
    if (order.isEmpty() || !CType.of(step.node().output().type().element()).isFloat()) {
      return Optional.empty();
    }
    int axis = order.getLast();
    Affine extent = index.axes().get(axis).extent();
    boolean whole = extent.isConstant() && extent.isAlwaysMultipleOf(4);
    return whole && TiledProduct.isVector(index, axis)
        ? Optional.of(new Lanes(index, axis, 1))
        : Optional.empty();
  }

  /// As many `float4`s per work item, up to four, as divide the innermost axis.
  Lanes widened() {
    Affine extent = index.axes().get(axis).extent();
    return new Lanes(
        index, axis, extent.isAlwaysMultipleOf(16) ? 4 : extent.isAlwaysMultipleOf(8) ? 2 : 1);
  }

  private Decoding decoding() {
    List<Decoding.Coordinate> coordinates = new ArrayList<>();
    for (int i : MemoryOrder.axes(index)) {
      Affine extent = index.axes().get(i).extent();
      coordinates.add(
          i == axis
              ? new Decoding.Coordinate("part", extent.dividedBy(4L * vectors))
              : new Decoding.Coordinate("i" + i, extent));
    }
    return new Decoding(coordinates);
  }

  /// Statements that declare the coordinates of the work item's first element.
  String item() {
    String along = "const long i" + axis + " = part * " + 4 * vectors + ";";
    return Statements.of(Elements.item(decoding()), MemoryOrder.zeros(index), along);
  }

  /// The logical coordinates of the work item's element `lane`.
  List<Coordinate> coordinates(int lane) {
    List<Coordinate> result = new ArrayList<>(MemoryOrder.coordinates(index.shape()));
    result.set(axis, Coordinate.of(lane == 0 ? "i" + axis : "(i" + axis + " + " + lane + ")"));
    return result;
  }

  /// Text of the `float4` of input `input` that starts at coordinates of its own.
  static String load(StepText s, int input, List<Coordinate> at) {
    return s.type(input)
        .readFour(s.pointer(input), IndexText.offset(s.step().inputs().get(input).index(), at));
  }

  /// Statements that store what `lane` gives for each of the work item's elements.
  String store(StepText s, Lane lane) {
    String values = each(vector -> values(vector, lane));
    return Statements.of(values, each(vector -> store(s, vector)));
  }

  private String each(IntFunction<String> vector) {
    return IntStream.range(0, vectors).mapToObj(vector).collect(Collectors.joining("\n"));
  }

  private String store(StepText s, int vector) {
    return s.outputType()
        .writeFour(s.output(), IndexText.offset(index, coordinates(4 * vector)), "r" + vector);
  }

  private static final Template VALUE =
      Template.of(
          "value of a lane",
          """
          {
            $statements
            r$vector.$part = $value;
          }
          """);

  private static String values(int vector, Lane lane) {
    String parts =
        IntStream.range(0, 4)
            .mapToObj(part -> value(vector, part, lane.value(4 * vector + part)))
            .collect(Collectors.joining("\n"));
    return Statements.of("float4 r" + vector + ";", parts);
  }

  private static String value(int vector, int part, Value value) {
    return VALUE
        .with("statements", value.statements())
        .with("vector", vector)
        .with("part", TiledProduct.PARTS.charAt(part))
        .with("value", value.text())
        .text();
  }

  /// Statements that apply the epilogue to `acc0`, `acc1`, … and store.
  String finish(StepText s) {
    return store(
        s,
        lane -> {
          char part = TiledProduct.PARTS.charAt(lane % 4);
          return new Value(
              "const float result = acc" + lane / 4 + "." + part + ";",
              s.epilogue("result", s.element(0), coordinates(lane)));
        });
  }

  /// The text of an element.
  ///
  /// @param statements that it needs, in a block of their own; maybe none
  record Value(String statements, String text) {}

  /// The value of an element.
  interface Lane {
    Value value(int lane);
  }

  Launch.Groups work() {
    return Elements.items(decoding().count());
  }
}
