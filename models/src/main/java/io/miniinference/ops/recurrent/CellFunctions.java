package io.miniinference.ops.recurrent;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.RecurrentCell;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.NamedActivations;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// The activation functions of a node's directions, with the bound of what they are applied to.
///
/// The lists `activation_alpha` and `activation_beta` hold values for those functions alone that
/// have such a parameter, in the order of the functions.
final class CellFunctions {
  /// The function of an LSTM's cell state, of which nothing is bounded.
  private static final int OF_CELL = 2;

  private CellFunctions() {}

  /// The cell of each direction.
  static List<RecurrentCell> of(OpContext c, RecurrentCell.Kind kind, int directions) {
    List<String> names = names(c, usual(kind), directions);
    var named = new NamedActivations(c.element(0), new Lists(c));
    List<RecurrentCell> all = new ArrayList<>();
    for (int i = 0; i < directions; i++) {
      List<Expr> functions = new ArrayList<>();
      for (int k = 0; k < kind.functions(); k++) {
        String name = names.get(i * kind.functions() + k);
        functions.add(named.function(name).apply(k == OF_CELL ? arg(0) : clipped(c)));
      }
      all.add(new RecurrentCell(kind, functions));
    }
    return all;
  }

  /* The functions of a direction that names none. */
  private static List<String> usual(RecurrentCell.Kind kind) {
    return switch (kind) {
      case RNN -> List.of("Tanh");
      case GRU, GRU_LINEAR -> List.of("Sigmoid", "Tanh");
      case LSTM, LSTM_COUPLED -> List.of("Sigmoid", "Tanh", "Tanh");
    };
  }

  private static List<String> names(OpContext c, List<String> usual, int directions) {
    List<String> given = c.attributes().strings("activations");
    List<String> names = new ArrayList<>(given);
    for (int i = 0; i < directions && given.isEmpty(); i++) {
      names.addAll(usual);
    }
    if (names.size() != directions * usual.size()) {
      throw LoweringFault.of(
          "has %d activations, needs %d".formatted(names.size(), directions * usual.size()));
    }
    return names;
  }

  /* What a function of a gate is applied to, bounded by the attribute `clip`. */
  private static Expr clipped(OpContext c) {
    if (!c.hasAttr("clip")) {
      return arg(0);
    }
    ElementType type = c.element(0);
    double clip = c.attrFloat("clip");
    return min(max(arg(0), const_(type, -clip)), const_(type, clip));
  }

  /* The parameters of functions, one after the other from the lists. */
  private static final class Lists implements NamedActivations.Parameters {
    private final Iterator<Float> alphas;
    private final Iterator<Float> betas;

    Lists(OpContext c) {
      alphas = c.attributes().reals("activation_alpha").iterator();
      betas = c.attributes().reals("activation_beta").iterator();
    }

    @Override
    public double alpha(double usual) {
      return alphas.hasNext() ? alphas.next() : usual;
    }

    @Override
    public double beta(double usual) {
      return betas.hasNext() ? betas.next() : usual;
    }
  }
}
