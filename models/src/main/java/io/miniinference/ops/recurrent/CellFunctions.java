package io.miniinference.ops.recurrent;

import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.NamedActivations;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;

/// The activation functions of one direction, and the bound of what they are applied to.
///
/// The lists `activation_alpha` and `activation_beta` hold values for those functions alone that
/// have such a parameter, in the order of the functions.
final class CellFunctions {
  private final ElementType type;
  private final List<UnaryOperator<Expr>> functions;
  private final float clip;

  private CellFunctions(ElementType type, List<UnaryOperator<Expr>> functions, float clip) {
    this.type = type;
    this.functions = functions;
    this.clip = clip;
  }

  /// The functions of each direction.
  ///
  /// @param usual those of a direction if the node names none
  static List<CellFunctions> of(OpContext c, List<String> usual, int directions) {
    List<String> names = names(c, usual, directions);
    var named = new NamedActivations(c.element(0), new Lists(c));
    float clip = c.hasAttr("clip") ? c.attrFloat("clip") : Float.POSITIVE_INFINITY;
    List<CellFunctions> all = new ArrayList<>();
    for (int i = 0; i < directions; i++) {
      List<String> own = names.subList(i * usual.size(), (i + 1) * usual.size());
      all.add(new CellFunctions(c.element(0), own.stream().map(named::function).toList(), clip));
    }
    return all;
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

  Expr apply(int number, Expr x) {
    return functions.get(number).apply(x);
  }

  /// `x`, bounded by the attribute `clip`.
  Expr clipped(Expr x) {
    return clip == Float.POSITIVE_INFINITY
        ? x
        : min(max(x, const_(type, (double) -clip)), const_(type, (double) clip));
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
