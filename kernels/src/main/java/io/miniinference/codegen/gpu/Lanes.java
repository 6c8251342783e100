package io.miniinference.codegen.gpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    List<Integer> order = memoryOrder(index);
    if (order.isEmpty() || CType.of(step.node().output().type().element()) != CType.F32) {
      return Optional.empty();
    }
    int axis = order.getLast();
    Affine extent = index.axes().get(axis).extent();
    boolean whole = extent.isConstant() && extent.isMultipleOf(4);
    return whole && TiledProduct.isVector(index, axis)
        ? Optional.of(new Lanes(index, axis, 1))
        : Optional.empty();
  }

  /// As many `float4`s per work item, up to four, as divide the innermost axis.
  Lanes widened() {
    Affine extent = index.axes().get(axis).extent();
    return new Lanes(index, axis, extent.isMultipleOf(16) ? 4 : extent.isMultipleOf(8) ? 2 : 1);
  }

  private static List<Integer> memoryOrder(IndexFunction index) {
    return Elements.memoryOrder(index, IntStream.range(0, index.rank()).boxed().toList());
  }

  private Decoding decoding() {
    List<Decoding.Coordinate> coordinates = new ArrayList<>();
    for (int i : memoryOrder(index)) {
      Affine extent = index.axes().get(i).extent();
      coordinates.add(
          i == axis
              ? new Decoding.Coordinate("part", extent.dividedBy(4L * vectors))
              : new Decoding.Coordinate("i" + i, extent));
    }
    return new Decoding(coordinates);
  }

  /// Declares the coordinates of the work item's first element.
  void open(KernelText text) {
    Elements.openItem(text, decoding());
    for (int i = 0; i < index.rank(); i++) {
      if (index.axes().get(i).extent().equals(Affine.ONE)) {
        text.line("const long i" + i + " = 0;");
      }
    }
    text.line("const long i" + axis + " = part * " + 4 * vectors + ";");
  }

  /// The logical coordinates of the work item's element `lane`.
  List<Coordinate> coordinates(int lane) {
    List<Coordinate> result = new ArrayList<>(Elements.coordinates(index.shape()));
    result.set(axis, Coordinate.of(lane == 0 ? "i" + axis : "(i" + axis + " + " + lane + ")"));
    return result;
  }

  /// Text of the `float4` of input `input` that starts at coordinates of its own.
  static String load(StepText s, int input, List<Coordinate> at) {
    String offset = IndexText.offset(s.step().inputs().get(input).index(), at);
    return "*(@global const float4*)(" + s.pointer(input) + " + " + offset + ")";
  }

  /// Statements that store what `lane` gives for each of the work item's elements.
  void store(StepText s, Lane lane) {
    KernelText text = s.text();
    for (int v = 0; v < vectors; v++) {
      text.line("float4 r" + v + ";");
      for (int part = 0; part < 4; part++) {
        String target = "r" + v + "." + TiledProduct.PARTS.charAt(part);
        text.line("{");
        text.line(target + " = " + lane.value(4 * v + part) + ";");
        text.line("}");
      }
    }
    for (int v = 0; v < vectors; v++) {
      String offset = IndexText.offset(index, coordinates(4 * v));
      text.line("*(@global float4*)(" + s.output() + " + " + offset + ") = r" + v + ";");
    }
  }

  /// Statements that apply the epilogue to `acc0`, `acc1`, … and store.
  void finish(StepText s) {
    store(
        s,
        lane -> {
          char part = TiledProduct.PARTS.charAt(lane % 4);
          s.text().line("const float result = acc" + lane / 4 + "." + part + ";");
          return s.epilogue("result", ElementType.F32, coordinates(lane));
        });
  }

  /// The value of an element.
  interface Lane {
    /// Text of the value; statements that it needs are written in a block of their own.
    String value(int lane);
  }

  Launch.Groups work() {
    return Elements.items(decoding().count());
  }
}
