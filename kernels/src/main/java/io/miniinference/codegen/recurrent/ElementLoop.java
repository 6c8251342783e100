package io.miniinference.codegen.recurrent;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import io.miniinference.ir.Op.Recurrent.Given;
import io.miniinference.ir.Op.Recurrent.Part;
import io.miniinference.ir.RecurrentCell.Kind;
import java.util.stream.Collectors;

/// The statements that take a row through all steps of a recurrent layer, an element of the states
/// at a time, for any type, layout and size. Several work items may share the elements out between
/// them: each does those that are its own, and waits for the others after each phase.
///
/// States are in an array `s`: `[state after even steps][after odd steps]`, then `[cell]` or, of a
/// GRU, `[update]` and `[kept]`, `hidden` elements each.
///
/// @param items work items that share a row
public record ElementLoop(LayerText layer, int items) {

  private static final Template KERNEL =
      Template.of(
          "steps of a row",
          """
          const long length = $length;
          $begin
          for (long step = 0; step < $steps; step++) {
            const int runs = step < length;
            const long t = $place;
            const long before = (step & 1) ? $hidden : 0;
            const long next = $hidden - before;
            $phases
          }
          const long last = ($steps & 1) ? $hidden : 0;
          $end
          """);

  private static final Template OWN =
      Template.of(
          "elements of one of several",
          """
          for (long from = 0; from < $hidden; from += $items) {
            const long j = from + @localId;
            if (j < $hidden) {
              $body
            }
          }
          @barrier;
          """);

  private static final Template ALL =
      Template.of(
          "all elements",
          """
          for (long j = 0; j < $hidden; j++) {
            $body
          }
          """);

  private static final Template ELEMENT =
      Template.of(
          "element of a step",
          """
          if (runs) {
            $sums
            for (long k = 0; k < $hidden; k++) {
              const $type a = s[$from + k];
              $products
            }
            $cell
          }$otherwise
          """);

  /// Arrays of `hidden` elements that a row has.
  public static int arrays(Kind kind) {
    return switch (kind) {
      case RNN, GRU_LINEAR -> 2;
      case LSTM, LSTM_COUPLED -> 3;
      case GRU -> 4;
    };
  }

  private ElementPlaces places() {
    return new ElementPlaces(layer, layer.hidden(), false);
  }

  private String type() {
    return layer.type().computed();
  }

  private String each(String body) {
    Template.Filling loop =
        items > 1
            ? OWN.with("items", items).with("hidden", layer.hidden())
            : ALL.with("hidden", layer.hidden());
    return loop.with("body", body).text();
  }

  /// The statements; `row` is declared, and `s`.
  public Template.Filling text() {
    String phases =
        Phase.of(kind()).stream().map(p -> each(phase(p))).collect(Collectors.joining("\n"));
    return KERNEL
        .with("length", layer.length("row"))
        .with("begin", each(begin()))
        .with("steps", IndexText.affine(layer.steps()))
        .with("place", layer.place("length"))
        .with("hidden", layer.hidden())
        .with("phases", phases)
        .with("end", each(end()));
  }

  private Kind kind() {
    return layer.op().cell().kind();
  }

  private String begin() {
    return Statements.of(
        places().keep(layer.initial(Given.HIDDEN, "row", "j"), 0),
        kind().hasCellState() ? places().keep(layer.initial(Given.CELL, "row", "j"), 2) : "");
  }

  private String end() {
    return Statements.of(
        layer.store(Part.HIDDEN, "0", "row", "j", "s[last + j]"),
        layer.store(Part.CELL, "0", "row", "j", places().held(2)));
  }

  private String phase(Phase phase) {
    String sums =
        phase.gates().stream()
            .map(g -> type() + " s" + g + " = 0;")
            .collect(Collectors.joining("\n"));
    return ELEMENT
        .with("sums", sums)
        .with("hidden", layer.hidden())
        .with("type", type())
        .with("from", phase.ofKept() ? 3 * layer.hidden() : "before")
        .with("products", products(phase))
        .with("cell", CellText.ofElements(layer, places()).of(phase))
        .with("otherwise", phase.isLast() ? places().behindTheLastStep() : "")
        .text();
  }

  private String products(Phase phase) {
    return phase.gates().stream()
        .map(g -> "s%1$d = fma(a, %2$s, s%1$d);".formatted(g, layer.weight(places().row(g), "k")))
        .collect(Collectors.joining("\n"));
  }
}
