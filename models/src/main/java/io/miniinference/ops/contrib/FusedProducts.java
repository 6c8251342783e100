package io.miniinference.ops.contrib;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.math.MatMulOps;
import io.miniinference.ops.nn.ConvOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;

/// Products with what the optimiser pulled into them: factors, transpositions, sums, activations.
final class FusedProducts {
  private static final String ACTIVATION = "activation activation_alpha activation_beta";

  private FusedProducts() {}

  static void addTo(OpTable table) {
    table
        .row(
            "com.microsoft.FusedMatMul",
            1,
            "2",
            "alpha=1 transA=0 transB=0 transBatchA=0 transBatchB=0",
            FusedProducts::matMul)
        .row(
            "com.microsoft.TransposeMatMul",
            1,
            "2",
            "alpha=1 transA=0 transB=0",
            c -> matMul(c, c.in(0), c.in(1)))
        .row(
            "com.microsoft.FusedGemm",
            1,
            "2-3",
            MatMulOps.GEMM + " " + ACTIVATION + " activation_gamma",
            c -> FusedActivation.ofGemm(c).applied(MatMulOps.gemm(c)))
        .row(
            "com.microsoft.FusedConv",
            1,
            "2-4",
            ConvOps.CONV + " activation activation_params",
            FusedProducts::conv);
  }

  private static Value matMul(OpContext c) {
    Value a = c.attrBool("transBatchA") ? firstInward(c, c.in(0)) : c.in(0);
    Value b = c.attrBool("transBatchB") ? firstInward(c, c.in(1)) : c.in(1);
    return matMul(c, a, b);
  }

  private static Value matMul(OpContext c, Value a, Value b) {
    Value product = MatMulOps.matMul(c, a, b, c.attrBool("transA"), c.attrBool("transB"));
    Expr scaled = MatMulOps.scaled(c, "alpha", Ex.x());
    return scaled.equals(Ex.x()) ? product : c.map(scaled, product);
  }

  /// `[rows, batch…, columns]` as `[batch…, rows, columns]`.
  private static Value firstInward(Emitter c, Value x) {
    int rank = x.type().rank();
    List<Integer> axes = new ArrayList<>();
    for (int axis = 1; axis < rank - 1; axis++) {
      axes.add(axis);
    }
    axes.add(0);
    if (rank > 1) {
      axes.add(rank - 1);
    }
    return rank == 0 ? x : c.transpose(x, axes);
  }

  private static Value conv(OpContext c) {
    Value product = ConvOps.conv(c);
    if (c.has(3)) {
      product = c.plus(product, c.in(3));
    }
    return FusedActivation.ofConv(c).applied(product);
  }
}
