package io.miniinference.ops.math;

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
import java.util.Locale;
import java.util.function.UnaryOperator;

/// Activation functions by name, as the cells of recurrent operators and fused operators name them.
public final class NamedActivations {
  private final ElementType type;
  private final Parameters parameters;

  /// @param type of what the functions are applied to
  public NamedActivations(ElementType type, Parameters parameters) {
    this.type = type;
    this.parameters = parameters;
  }

  /// Where the parameters of functions come from. A function asks once for each that it has.
  public interface Parameters {

    /// @param usual its value where none is given
    double alpha(double usual);

    /// @param usual its value where none is given
    double beta(double usual);
  }

  private Expr con(double value) {
    return const_(type, value);
  }

  private Expr alpha(double usual) {
    return con(parameters.alpha(usual));
  }

  private Expr beta(double usual) {
    return con(parameters.beta(usual));
  }

  public UnaryOperator<Expr> function(String name) {
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
