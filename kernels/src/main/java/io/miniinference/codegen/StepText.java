package io.miniinference.codegen;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.ExprType;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What every scalar kernel writer needs of a step: pointers to its arrays, reads at output
/// coordinates, the epilogue, the store.
public final class StepText {
  private final LoweredStep step;
  private final KernelText text;
  private final List<String> pointers;
  private final String output;

  /// @param local work items of a work-group, all in dimension 0
  public StepText(LoweredStep step, int local) {
    this(step, new KernelText().group(local));
  }

  /// Of one of several steps of a kernel.
  ///
  /// @param text of the step ([KernelText#part])
  public StepText(LoweredStep step, KernelText text) {
    this.step = step;
    this.text = text;
    pointers = new ArrayList<>();
    for (int i = 0; i < step.inputs().size(); i++) {
      CType type = CType.of(read(i).type().element());
      pointers.add(text.pointer("x" + i, type, step.inputs().get(i), false));
    }
    output = text.pointer("y", outputType(), step.output(), true);
  }

  private StepText(LoweredStep step, KernelText text, List<String> pointers, String output) {
    this.step = step;
    this.text = text;
    this.pointers = pointers;
    this.output = output;
  }

  /* What input `input` of the kernel holds. */
  private Value read(int input) {
    List<Value> own = step.node().inputs();
    LoweredStep.Gathered gathered = step.gathered();
    if (gathered == null || (input < own.size() && input != gathered.operand())) {
      return own.get(input);
    }
    List<Value> others = gathered.node().inputs();
    return others.get(input < own.size() ? 0 : input - own.size() + 1);
  }

  /// The Gather of the operand that this kernel gathers, with the same pointers and the same text.
  StepText gather() {
    int own = step.node().inputs().size();
    List<String> read = new ArrayList<>();
    read.add(pointers.get(Objects.requireNonNull(step.gathered(), "gathered").operand()));
    read.addAll(pointers.subList(own, pointers.size()));
    return new StepText(step.gather(), text, read, output);
  }

  public LoweredStep step() {
    return step;
  }

  public KernelText text() {
    return text;
  }

  /// Name of the pointer to input `input`.
  public String pointer(int input) {
    return pointers.get(input);
  }

  /// Name of the pointer to the output.
  public String output() {
    return output;
  }

  public CType type(int input) {
    return CType.of(element(input));
  }

  public ElementType element(int input) {
    return step.node().inputs().get(input).type().element();
  }

  public CType outputType() {
    return CType.of(step.node().output().type().element());
  }

  /// Text of input `input` at logical coordinates of its own.
  public String read(int input, List<Coordinate> coordinates) {
    return type(input)
        .read(pointers.get(input), IndexText.offset(step.inputs().get(input).index(), coordinates));
  }

  /// Text of input `input` broadcast to the output's coordinates.
  public String broadcast(int input, List<Coordinate> output) {
    Value value = step.node().inputs().get(input);
    return read(
        input,
        IndexText.broadcast(value.type().shape(), step.node().output().type().shape(), output));
  }

  /// Text of an expression over this step's inputs, numbered as the node numbers them.
  public String expression(Expr expr, List<Coordinate> coordinates) {
    List<ElementType> types = new ArrayList<>();
    for (int i = 0; i < step.node().inputs().size(); i++) {
      types.add(element(i));
    }
    return new ExprText(new Reads(coordinates, 0, null, Map.of()), types)
        .of(unrounded(expr, types));
  }

  /// The expression of what is stored, without a last cast to 16 bits: such types are computed in
  /// 32, and the store rounds.
  ///
  /// @param types of the operands
  public Expr unrounded(Expr expr, List<ElementType> types) {
    return expr instanceof Expr.Cast(ElementType to, Expr value)
            && to == step.node().output().type().element()
            && to.bytes() == Short.BYTES
            && CType.of(to).isFloat()
            && CType.of(ExprType.of(value, types)).isFloat()
        ? value
        : expr;
  }

  /// Text of the epilogue applied to `result`, or `result` where there is none.
  ///
  /// @param resultType the element type before the epilogue
  public String epilogue(String result, ElementType resultType, List<Coordinate> coordinates) {
    return epilogue(result, resultType, coordinates, Map.of());
  }

  /// As above, with what some inputs hold in variables.
  ///
  /// @param held text of an element, by input of the node
  public String epilogue(
      String result,
      ElementType resultType,
      List<Coordinate> coordinates,
      Map<Integer, String> held) {
    Expr epilogue = step.node().epilogue();
    if (epilogue == null) {
      return result;
    }
    List<ElementType> types = new ArrayList<>();
    types.add(resultType);
    int operands = step.node().operands();
    for (int i = operands; i < step.node().inputs().size(); i++) {
      types.add(element(i));
    }
    return new ExprText(new Reads(coordinates, operands - 1, result, held), types)
        .of(unrounded(epilogue, types));
  }

  /// The statement that stores a value at the output's coordinates.
  public String stored(String value, List<Coordinate> coordinates) {
    String index = IndexText.offset(step.output().index(), coordinates);
    return outputType().write(output, index, value);
  }

  private final class Reads implements ExprText.Leaves {
    private final List<Coordinate> coordinates;
    private final int shift;
    private final @Nullable String result;
    private final Map<Integer, String> held;

    Reads(
        List<Coordinate> coordinates,
        int shift,
        @Nullable String result,
        Map<Integer, String> held) {
      this.coordinates = coordinates;
      this.shift = shift;
      this.result = result;
      this.held = held;
    }

    @Override
    public String arg(int index) {
      if (index == 0 && result != null) {
        return result;
      }
      String variable = held.get(index + shift);
      return variable != null ? variable : broadcast(index + shift, coordinates);
    }

    @Override
    public String at(int index, List<Coordinate> at) {
      return read(index + shift, at);
    }

    @Override
    public Coordinate index(int axis) {
      return coordinates.get(axis);
    }
  }
}
