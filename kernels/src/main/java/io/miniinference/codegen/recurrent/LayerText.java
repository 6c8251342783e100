package io.miniinference.codegen.recurrent;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.Recurrent.Given;
import io.miniinference.ir.Op.Recurrent.Part;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The arrays of a recurrent layer in kernel text: `x` (the projected inputs), `w` (the recurrent
/// weights), what else is given, and its results, each with its place at coordinates.
public final class LayerText {
  private final LoweredStep step;
  private final Op.Recurrent op;
  private final KernelText text = new KernelText();
  private final CType type;
  private final Map<Part, String> results = new EnumMap<>(Part.class);

  /// @param group work items of a work-group
  public LayerText(LoweredStep step, int group) {
    this.step = step;
    op = (Op.Recurrent) step.node().op();
    type = CType.of(value(0).type().element());
    text.group(group);
    pointer("x", 0);
    pointer("w", Op.Recurrent.WEIGHTS);
    op.given().forEach(given -> pointer(name(given), op.place(given)));
    for (int i = 0; i < op.parts().size(); i++) {
      String name = "y_" + op.parts().get(i).name().toLowerCase(Locale.ROOT);
      results.put(op.parts().get(i), text.pointer(name, type, step.outputs().get(i), true));
    }
  }

  private void pointer(String name, int input) {
    CType stored = CType.of(value(input).type().element());
    text.pointer(name, stored, step.inputs().get(input), false);
  }

  private static String name(Given given) {
    return given.name().toLowerCase(Locale.ROOT);
  }

  private Value value(int input) {
    return step.node().inputs().get(input);
  }

  public KernelText text() {
    return text;
  }

  public LoweredStep step() {
    return step;
  }

  public Op.Recurrent op() {
    return op;
  }

  /// What the elements are stored as.
  public CType type() {
    return type;
  }

  /// Rows of the batch.
  public Affine rows() {
    return value(0).type().dim(1);
  }

  /// Steps of a sequence.
  public Affine steps() {
    return value(0).type().dim(0);
  }

  /// Elements of a state.
  public long hidden() {
    return hidden(step.node().inputs());
  }

  /// Elements of a state of a layer with these inputs.
  public static long hidden(List<Value> inputs) {
    return inputs.get(Op.Recurrent.WEIGHTS).type().dim(1).asConstant();
  }

  public boolean has(Given given) {
    return op.given().contains(given);
  }

  public boolean has(Part part) {
    return results.containsKey(part);
  }

  private static String offset(IndexFunction index, String... at) {
    return IndexText.offset(index, Arrays.stream(at).map(Coordinate::of).toList());
  }

  /// Place of the projected input of a step and a row in `x`.
  public String input(String place, String row, String column) {
    return offset(step.inputs().getFirst().index(), place, row, column);
  }

  /// A recurrent weight that lies as the graph has it.
  public String weight(String row, String k) {
    return type.read("w", offset(step.inputs().get(Op.Recurrent.WEIGHTS).index(), row, k));
  }

  /// Four recurrent weights from `k` on, as a `float4`.
  public String four(String row, String k) {
    return type.readFour("w", offset(step.inputs().get(Op.Recurrent.WEIGHTS).index(), row, k));
  }

  /// Place of an element of a vector that is given.
  public String vector(Given given, String at) {
    return offset(step.inputs().get(op.place(given)).index(), at);
  }

  /// An element of a vector that is given.
  public String element(Given given, String at) {
    return type.read(name(given), vector(given, at));
  }

  /// An element of a state ahead of the first step.
  public String initial(Given given, String row, String at) {
    return has(given)
        ? type.read(name(given), offset(step.inputs().get(op.place(given)).index(), "0", row, at))
        : "0";
  }

  /// How many steps a row has.
  public String length(String row) {
    String steps = IndexText.affine(steps());
    if (!has(Given.LENGTHS)) {
      return steps;
    }
    IndexFunction index = step.inputs().get(op.place(Given.LENGTHS)).index();
    return "clamp((long)lengths[%s], 0L, (long)%s)".formatted(offset(index, "0", row, "0"), steps);
  }

  /// The step that a row of a length takes as number `step`; behind its last one, that number.
  public String place(String length) {
    return op.backwards() ? "step < %1$s ? %1$s - 1 - step : step".formatted(length) : "step";
  }

  /// Name of the pointer to a result.
  public String result(Part part) {
    return results.getOrDefault(part, "");
  }

  /// Place of an element in a result.
  public String place(Part part, String place, String row, String at) {
    return offset(step.outputs().get(op.parts().indexOf(part)).index(), place, row, at);
  }

  /// The statement that stores an element of a result; nothing where that is not asked for.
  public String store(Part part, String place, String row, String at, String value) {
    return has(part) ? type.write(result(part), place(part, place, row, at), value) : "";
  }
}
