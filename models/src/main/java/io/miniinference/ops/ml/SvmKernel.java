package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.exp;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.pow;
import static io.miniinference.ir.Exprs.sub;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.List;

/// The kernel of a support vector machine: how alike rows are to support vectors, as libsvm has it.
final class SvmKernel {
  private static final ElementType F32 = ElementType.F32;
  private static final ElementType F64 = ElementType.F64;

  /// Largest power that is written as products.
  private static final int MOST_PRODUCTS = 4;

  private final OpContext c;
  private final String type;
  private final double gamma;
  private final double offset;
  private final double degree;

  private SvmKernel(OpContext c, String type, double... parameters) {
    this.c = c;
    this.type = type;
    gamma = parameters[0];
    offset = parameters[1];
    degree = parameters[2];
  }

  /// The kernel that a node's attributes name.
  static SvmKernel of(OpContext c) {
    String type = c.attrOneOf("kernel_type", "LINEAR", "POLY", "RBF", "SIGMOID");
    double[] parameters = Lists.reals(c, "kernel_params");
    if (parameters.length != 3 && !(parameters.length == 0 && type.equals("LINEAR"))) {
      throw LoweringFault.of(
          "has %d numbers in 'kernel_params', needs gamma, coef0 and degree"
              .formatted(parameters.length));
    }
    return new SvmKernel(c, type, parameters.length == 0 ? new double[3] : parameters);
  }

  /// The kernel of each row with each support vector, `[N, V]`.
  ///
  /// @param vectors `[V, F]`
  /// @throws LoweringFault if they are not as many numbers
  Value of(Value x, double[] vectors, long count) {
    long features = Rows.features(x);
    if (vectors.length % features != 0 || vectors.length / features != count) {
      throw LoweringFault.of(
          "has %,d numbers in 'support_vectors' for %,d support vectors of %,d features"
              .formatted(vectors.length, count, features));
    }
    return switch (type) {
      case "LINEAR" -> LinearOps.product(c, x, vectors, count);
      case "POLY" -> c.map(power(line()), LinearOps.product(c, x, vectors, count));
      case "SIGMOID" -> c.map(tanh(line()), LinearOps.product(c, x, vectors, count));
      default -> radial(x, vectors, Math.toIntExact(features));
    };
  }

  private Expr line() {
    return add(mul(const_(F32, gamma), Ex.x()), const_(F32, offset));
  }

  private Expr power(Expr base) {
    if (degree != Math.rint(degree) || degree < 1 || degree > MOST_PRODUCTS) {
      return pow(base, const_(F32, degree));
    }
    Expr product = base;
    for (int i = 1; i < degree; i++) {
      product = mul(product, base);
    }
    return product;
  }

  /* exp(−γ ‖x − v‖²) by one product: ‖x‖² + ‖v‖² − 2 x·v. In 64 bits, for the difference is small
  where the squares are large: in 32 bits, features in thousands that are not scaled would leave
  nothing of it. */
  private Value radial(Value x, double[] vectors, int features) {
    double[] squares = new double[vectors.length / features];
    for (int i = 0; i < vectors.length; i++) {
      squares[i / features] += vectors[i] * vectors[i];
    }
    Value rows = c.cast(x, F64);
    Value all = Lists.constant(c, F64, vectors, squares.length, features);
    Value products = c.matMul(rows, all, false, true);
    Value own = c.reduce(Op.ReduceKind.SUM, List.of(1), true, mul(Ex.x(), Ex.x()), rows);
    Value theirs = Lists.constant(c, F64, squares, 1, squares.length);
    Expr distance = sub(add(arg(1), arg(2)), mul(const_(F64, 2.0), arg(0)));
    Expr power = mul(const_(F64, -gamma), max(distance, const_(F64, 0.0)));
    return c.map(exp(cast(F32, power)), products, own, theirs);
  }
}
