package io.miniinference.ops.recurrent;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.expm1;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.ActivationOps;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
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
    var reader = new Reader(c);
    float clip = c.hasAttr("clip") ? c.attrFloat("clip") : Float.POSITIVE_INFINITY;
    List<CellFunctions> all = new ArrayList<>();
    for (int i = 0; i < directions; i++) {
      List<String> own = names.subList(i * usual.size(), (i + 1) * usual.size());
      all.add(new CellFunctions(c.element(0), own.stream().map(reader::function).toList(), clip));
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

  /* Reads functions by name, and takes their parameters from the lists. */
  private static final class Reader {
    private final ElementType type;
    private final Iterator<Float> alphas;
    private final Iterator<Float> betas;

    Reader(OpContext c) {
      type = c.element(0);
      alphas = c.attributes().reals("activation_alpha").iterator();
      betas = c.attributes().reals("activation_beta").iterator();
    }

    private Expr con(double value) {
      return const_(type, value);
    }

    private Expr alpha(double usual) {
      return con(alphas.hasNext() ? alphas.next() : usual);
    }

    private Expr beta(double usual) {
      return con(betas.hasNext() ? betas.next() : usual);
    }

    UnaryOperator<Expr> function(String name) {
      return switch (name.toLowerCase(Locale.ROOT)) {
        case "relu" -> x -> max(x, con(0));
        case "tanh" -> x -> tanh(x);
        case "sigmoid" -> x -> ActivationOps.sigmoid(type, x);
        case "softsign" -> x -> div(x, add(con(1), abs(x)));
        case "softplus" -> x -> ActivationOps.softplus(type, x);
        case "affine" -> affine(alpha(1), beta(0));
        case "scaledtanh" -> scaledTanh(alpha(1), beta(1));
        case "hardsigmoid" -> hardSigmoid(alpha(0.2f), beta(0.5));
        case "leakyrelu" -> leakyRelu(alpha(0.01f));
        case "thresholdedrelu" -> thresholdedRelu(alpha(1));
        case "elu" -> elu(alpha(1));
        default ->
            throw LoweringFault.of(
                "has activation %s, which is none of the standard's".formatted(Quote.of(name)));
      };
    }

    private static UnaryOperator<Expr> affine(Expr alpha, Expr beta) {
      return x -> add(mul(alpha, x), beta);
    }

    private static UnaryOperator<Expr> scaledTanh(Expr alpha, Expr beta) {
      return x -> mul(alpha, tanh(mul(beta, x)));
    }

    private UnaryOperator<Expr> hardSigmoid(Expr alpha, Expr beta) {
      return x -> max(con(0), min(con(1), add(mul(alpha, x), beta)));
    }

    private UnaryOperator<Expr> leakyRelu(Expr alpha) {
      return x -> select(lt(x, con(0)), mul(alpha, x), x);
    }

    private UnaryOperator<Expr> thresholdedRelu(Expr alpha) {
      return x -> select(gt(x, alpha), x, con(0));
    }

    private UnaryOperator<Expr> elu(Expr alpha) {
      return x -> select(lt(x, con(0)), mul(alpha, expm1(x)), x);
    }
  }
}
