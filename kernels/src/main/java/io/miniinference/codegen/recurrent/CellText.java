package io.miniinference.codegen.recurrent;

import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.RecurrentCell.Kind;
import java.util.function.IntFunction;

/// The formulas of a cell ([io.miniinference.ir.RecurrentCell.Kind]) as statements over one element
/// of the states, or over several in the lanes of a vector.
///
/// They read `s0`, `s1`, … (products of the state with the weights of each gate), and what they
/// declare first: `x0`, `x1`, … (the projected inputs), `p0`, … (peepholes), `added` (a bias),
/// `old` and `cell` (the states before), and `update`, what an earlier phase found. They store the
/// states after, `hidden` and `after`, or of a phase that is not the last `update` and `kept`.
///
/// @param type in which they are computed
public record CellText(Op.Recurrent op, String type, Spelling spelling, CellPlaces places) {
  /// The array of the cell state, or of a GRU's update gate.
  private static final int HELD = 2;

  /// The array of the state that a GRU's reset gate lets pass.
  private static final int KEPT = 3;

  private static final int PEEPHOLES = 3;

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

  /// Of single elements of a layer's states.
  public static CellText ofElements(LayerText layer, CellPlaces places) {
    ElementType element = layer.step().node().inputs().getFirst().type().element();
    return new CellText(layer.op(), layer.type().computed(), new ElementSpelling(element), places);
  }

  /// The statements of a phase.
  public String of(Phase phase) {
    return Statements.of(reads(phase), formulas(phase), stores(phase));
  }

  private String reads(Phase phase) {
    return Statements.of(
        each(phase, gate -> declare("x" + gate, places.input(gate))),
        each(
            phase,
            gate ->
                seesCell() && gate < PEEPHOLES ? declare("p" + gate, places.peephole(gate)) : ""),
        phase.isLast() && hasBias() ? declare("added", places.bias()) : "",
        states(phase));
  }

  private static String each(Phase phase, IntFunction<String> statement) {
    return Statements.of(phase.gates().stream().map(statement::apply).toArray());
  }

  private String states(Phase phase) {
    Kind kind = op.cell().kind();
    return Statements.of(
        kind == Kind.RNN || kind.hasCellState() ? "" : declare("old", places.before()),
        kind.hasCellState() ? declare("cell", places.held(HELD)) : "",
        phase.ofKept() ? declare("update", places.held(HELD)) : "");
  }

  private String stores(Phase phase) {
    return phase.isLast()
        ? Statements.of(
            places.next("hidden"),
            op.cell().kind().hasCellState() ? places.keep("after", HELD) : "",
            places.shown("hidden"))
        : Statements.of(places.keep("update", HELD), places.keep("kept", KEPT));
  }

  private boolean hasBias() {
    return op.given().contains(Op.Recurrent.Given.BIAS);
  }

  private boolean seesCell() {
    return op.given().contains(Op.Recurrent.Given.PEEPHOLES);
  }

  private String formulas(Phase phase) {
    return switch (op.cell().kind()) {
      case RNN -> apply(0, "hidden", sum(0));
      case GRU -> phase.isLast() ? mixed("x2 + s2") : kept();
      case GRU_LINEAR -> Statements.of(gates(), mixed("x2 + reset * (s2" + bias() + ")"));
      case LSTM, LSTM_COUPLED -> lstm();
    };
  }

  private String bias() {
    return hasBias() ? " + added" : "";
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
    boolean isCoupled = op.cell().kind() == Kind.LSTM_COUPLED;
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
    return seesCell() ? sum(gate) + " + p" + gate + " * " + cell : sum(gate);
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
