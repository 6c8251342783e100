package io.miniinference.ops.contrib;

import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.expm1;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.NamedActivations;
import io.miniinference.ops.math.NamedActivations.Parameters;
import io.miniinference.ops.node.OpContext;
import java.util.List;

/// The activation that an attribute of a fused product names, if there is one.
final class FusedActivation {
  private static final double SELU_ALPHA = 1.67326319217681884765625;
  private static final double SELU_GAMMA = 1.05070102214813232421875;

  private final OpContext c;
  private final Parameters parameters;

  private FusedActivation(OpContext c, Parameters parameters) {
    this.c = c;
    this.parameters = parameters;
  }

  /// Parameters are attributes of their own.
  static FusedActivation ofGemm(OpContext c) {
    return new FusedActivation(c, new Attributes(c));
  }

  /// Parameters are a list.
  static FusedActivation ofConv(OpContext c) {
    return new FusedActivation(c, new Listed(c.attributes().reals("activation_params")));
  }

  Value applied(Value x) {
    if (!c.hasAttr("activation") || c.attrString("activation").isEmpty()) {
      return x;
    }
    return c.map(function(c.attrString("activation"), x.type().element()), x);
  }

  private Expr function(String name, ElementType type) {
    if (name.equals("Clip")) {
      return clip(type);
    }
    if (name.equals("Selu") && parameters instanceof Attributes attributes) {
      return selu(type, attributes);
    }
    return new NamedActivations(type, parameters).function(name).apply(Ex.x());
  }

  private Expr clip(ElementType type) {
    if (!(parameters instanceof Listed listed) || listed.values.size() != 2) {
      throw LoweringFault.of("has activation 'Clip', needs two 'activation_params'");
    }
    Expr low = const_(type, (double) listed.values.get(0));
    return min(max(Ex.x(), low), const_(type, (double) listed.values.get(1)));
  }

  private static Expr selu(ElementType type, Attributes attributes) {
    double alpha = attributes.alpha(SELU_ALPHA);
    double gamma = attributes.real("activation_gamma", SELU_GAMMA);
    Expr negative = mul(const_(type, alpha * gamma), expm1(Ex.x()));
    Expr positive = mul(const_(type, gamma), Ex.x());
    return select(gt(Ex.x(), const_(type, 0.0)), positive, negative);
  }

  private record Attributes(OpContext c) implements Parameters {
    double real(String name, double usual) {
      return c.hasAttr(name) ? c.attrFloat(name) : usual;
    }

    @Override
    public double alpha(double usual) {
      return real("activation_alpha", usual);
    }

    @Override
    public double beta(double usual) {
      return real("activation_beta", usual);
    }
  }

  private record Listed(List<Float> values) implements Parameters {
    @Override
    public double alpha(double usual) {
      return values.isEmpty() ? usual : values.get(0);
    }

    @Override
    public double beta(double usual) {
      return values.size() < 2 ? usual : values.get(1);
    }
  }
}
