package io.miniinference.codegen.cpu.recurrent;

import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.recurrent.CellPlaces;
import io.miniinference.codegen.recurrent.LayerText;
import io.miniinference.ir.Op.Recurrent.Given;
import io.miniinference.ir.Op.Recurrent.Part;

/// The places of sixteen elements from `at` on of row `r`, whose states are at `own` ([LaneLoop]);
/// `left` of them are there where the last vector of a state is not whole.
///
/// @param pitch elements from one array of states to the next
record LanePlaces(LayerText layer, long pitch) implements CellPlaces {

  /// Whether states are whole vectors.
  boolean isWhole() {
    return layer.hidden() % VectorText.LANES == 0;
  }

  private String column(int gate) {
    return "(" + gate * layer.hidden() + " + at)";
  }

  private String run(String pointer) {
    return isWhole() ? load(pointer) : "load_float16(left, " + pointer + ")";
  }

  private static String load(String pointer) {
    return "@load(16, 0, " + pointer + ")";
  }

  private static String store(String value, String to) {
    return "@store(16, " + value + ", 0, " + to + ");";
  }

  private String array(int number) {
    return "own + " + number * pitch + " + at";
  }

  @Override
  public String input(int gate) {
    return run("x + " + layer.input("t", "(row + r)", column(gate)));
  }

  @Override
  public String peephole(int gate) {
    return run("peepholes + " + layer.vector(Given.PEEPHOLES, column(gate)));
  }

  @Override
  public String bias() {
    return run("bias + " + layer.vector(Given.BIAS, "at"));
  }

  @Override
  public String before() {
    return load("own + before + at");
  }

  @Override
  public String held(int array) {
    return load(array(array));
  }

  @Override
  public String keep(String value, int array) {
    return store(value, array(array));
  }

  @Override
  public String next(String value) {
    return store(value, "own + next + at");
  }

  @Override
  public String shown(String value) {
    if (!layer.has(Part.STATES)) {
      return "";
    }
    String to =
        layer.result(Part.STATES) + " + " + layer.place(Part.STATES, "t", "(row + r)", "at");
    return isWhole() ? store(value, to) : "store_float16(left, " + value + ", " + to + ");";
  }
}
