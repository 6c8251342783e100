package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;

/// Matrix products.
public final class MatMulOps {
  /// The attributes of Gemm.
  public static final String GEMM = "alpha=1 beta=1 transA=0 transB=0";

  private MatMulOps() {}

  public static void addTo(OpTable table) {
    table
        .joining()
        .row("MatMul", 1, "2", "", c -> matMul(c, c.in(0), c.in(1)))
        .row("Gemm", 1, "3", GEMM + " broadcast=0", MatMulOps::gemm)
        .row("Gemm", 7, "2-3", GEMM, MatMulOps::gemm);
    table
        .row("Einsum", 12, "1-*", "equation", EinsumRule::lower)
        .row("Det", 11, "1", "", c -> new DetRule(c).lower());
  }

  /// Numpy's product: a vector is a row on the left and a column on the right.
  public static Value matMul(Emitter c, Value a, Value b) {
    return matMul(c, a, b, false, false);
  }

  /// As above, of matrices of which some are turned; a vector is not.
  public static Value matMul(Emitter c, Value a, Value b, boolean turnedA, boolean turnedB) {
    int rankA = a.type().rank();
    int rankB = b.type().rank();
    if (rankA == 0 || rankB == 0) {
      throw LoweringFault.of("multiplies %s and %s, needs axes".formatted(a.type(), b.type()));
    }
    Value rows = rankA == 1 ? c.unsqueeze(a, 0, 1) : a;
    Value columns = rankB == 1 ? c.unsqueeze(b, 1, 1) : b;
    Value product = c.matMul(rows, columns, turnedA && rankA > 1, turnedB && rankB > 1);
    List<Affine> shape = new ArrayList<>(product.type().shape());
    if (rankB == 1) {
      shape.removeLast();
    }
    if (rankA == 1) {
      shape.remove(shape.size() - (rankB == 1 ? 1 : 2));
    }
    return c.reshape(product, shape);
  }

  /// `alpha·A·B + beta·C`.
  public static Value gemm(OpContext c) {
    Value product = c.matMul(c.in(0), c.in(1), c.attrBool("transA"), c.attrBool("transB"));
    Expr scaled = scaled(c, "alpha", arg(0));
    boolean biased = c.has(2) && c.attrFloat("beta") != 0;
    if (!biased) {
      return scaled.equals(arg(0)) ? product : c.map(scaled, product);
    }
    Expr sum = add(scaled, scaled(c, "beta", arg(1)));
    return c.compute(sum, product.type().shape(), product, c.in(2));
  }

  /// `x` times an attribute.
  public static Expr scaled(OpContext c, String attribute, Expr x) {
    ElementType type = c.element(0);
    float factor = c.attrFloat(attribute);
    if (factor != 1 && !type.isFloat()) {
      throw c.unsupported("attribute '%s' = %s on %s".formatted(attribute, factor, type));
    }
    return factor == 1 ? x : mul(x, const_(type, factor));
  }
}
