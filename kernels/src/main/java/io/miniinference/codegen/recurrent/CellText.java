package io.miniinference.codegen.recurrent;

import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.RecurrentCell;

/// The formulas of a cell ([io.miniinference.ir.RecurrentCell.Kind]) as statements over one element
/// of the states, or over several in the lanes of a vector.
///
/// They read `x0`, `x1`, … (the projected inputs of each gate), `s0`, `s1`, … (products of the
/// state), `p0`, … (peepholes), `added` (a bias), `old` and `cell` (the states before), and
/// `update`, what an earlier phase found. They declare `hidden` and `after`, the states after, or
/// of a phase that is not the last `update` and `kept`.
///
/// @param type in which they are computed
public record CellText(Op.Recurrent op, String type, Spelling spelling) {

  /// How numbers and functions are written.
  public interface Spelling {
    /// The number 1.
    String one();

    /// Statements that put a function of `v` into the variable `name`.
    String apply(Expr function, String name);
  }

  private static final Template APPLIED =
      Template.of(
          "activation of a cell",
          """
          $type $name;
          {
            const $type v = $of;
            $apply
          }
          """);

  /// The statements of a phase.
  public String of(Phase phase) {
    return switch (op.cell().kind()) {
      case RNN -> apply(0, "hidden", sum(0));
      case GRU -> phase.isLast() ? mixed("x2 + s2") : kept();
      case GRU_LINEAR -> Statements.of(gates(), mixed("x2 + reset * (s2" + bias() + ")"));
      case LSTM, LSTM_COUPLED -> lstm();
    };
  }

  private String bias() {
    return op.given().contains(Op.Recurrent.Given.BIAS) ? " + added" : "";
  }

  private String gates() {
    return Statements.of(apply(0, "update", sum(0)), apply(0, "reset", sum(1)));
  }

  private String kept() {
    return Statements.of(gates(), declare("kept", "reset * old"));
  }

  private String mixed(String candidate) {
    return Statements.of(
        apply(1, "fresh", candidate),
        declare("hidden", "(" + spelling.one() + " - update) * fresh + update * old"));
  }

  private String lstm() {
    boolean isCoupled = op.cell().kind() == RecurrentCell.Kind.LSTM_COUPLED;
    return Statements.of(
        apply(0, "enter", gate(0, "cell")),
        isCoupled
            ? declare("forget", spelling.one() + " - enter")
            : apply(0, "forget", gate(2, "cell")),
        apply(1, "fresh", sum(3)),
        declare("after", "forget * cell + enter * fresh"),
        apply(0, "leave", gate(1, "after")),
        apply(2, "shown", "after"),
        declare("hidden", "leave * shown"));
  }

  private static String sum(int gate) {
    return "x" + gate + " + s" + gate;
  }

  private String gate(int gate, String cell) {
    boolean sees = op.given().contains(Op.Recurrent.Given.PEEPHOLES);
    return sees ? sum(gate) + " + p" + gate + " * " + cell : sum(gate);
  }

  private String declare(String name, String value) {
    return "const " + type + " " + name + " = " + value + ";";
  }

  private String apply(int function, String name, String of) {
    return APPLIED
        .with("type", type)
        .with("name", name)
        .with("of", of)
        .with("apply", spelling.apply(op.cell().functions().get(function), name))
        .text();
  }
}
