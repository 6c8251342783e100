package io.miniinference.codegen.recurrent;

import io.miniinference.codegen.Template;
import io.miniinference.ir.Op.Recurrent.Given;
import io.miniinference.ir.Op.Recurrent.Part;

/// The places of element `j` of a row, with states in an array `s` ([ElementLoop]).
///
/// @param pitch from one array of the states to the next
/// @param isAhead whether the projected inputs were read before, into `in0`, `in1`, …
public record ElementPlaces(LayerText layer, long pitch, boolean isAhead) implements CellPlaces {

  private static final Template BEHIND_THE_LAST_STEP =
      Template.of(
          "element behind the last step",
          """
           else {
            s[next + j] = s[before + j];
            $zero
          }\
          """);

  /// What else there is to a condition for a row that has ended: its state stays, and shows as
  /// zero.
  public String behindTheLastStep() {
    String zero = shown("(" + layer.type().computed() + ")0");
    return BEHIND_THE_LAST_STEP.with("zero", zero).text();
  }

  /// An element of the weights' rows for a gate.
  public String row(int gate) {
    return "(" + gate * layer.hidden() + " + j)";
  }

  @Override
  public String input(int gate) {
    return isAhead ? "in" + gate : read(gate);
  }

  /// The projected input of a gate where it lies.
  public String read(int gate) {
    return layer.type().read("x", layer.input("t", "row", row(gate)));
  }

  @Override
  public String peephole(int gate) {
    return layer.element(Given.PEEPHOLES, row(gate));
  }

  @Override
  public String bias() {
    return layer.element(Given.BIAS, "j");
  }

  @Override
  public String before() {
    return "s[before + j]";
  }

  @Override
  public String held(int array) {
    return "s[" + array * pitch + " + j]";
  }

  @Override
  public String keep(String value, int array) {
    return held(array) + " = " + value + ";";
  }

  @Override
  public String next(String value) {
    return "s[next + j] = " + value + ";";
  }

  @Override
  public String shown(String value) {
    return layer.store(Part.STATES, "t", "row", "j", value);
  }
}
