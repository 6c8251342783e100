package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.Arrays;

/// Support vector machines
/// ([SVMClassifier](https://onnx.ai/onnx/operators/onnx_aionnxml_SVMClassifier.html),
/// [SVMRegressor](https://onnx.ai/onnx/operators/onnx_aionnxml_SVMRegressor.html)).
final class SvmOps {
  private SvmOps() {}

  static void addTo(OpTable table) {
    table
        .rows(
            "ai.onnx.ml.SVMClassifier",
            1,
            "1",
            "classlabels_ints classlabels_strings coefficients kernel_params kernel_type=LINEAR"
                + " post_transform=NONE prob_a prob_b rho support_vectors vectors_per_class",
            c -> new SvmClassifierRule(c).lower())
        .row(
            "ai.onnx.ml.SVMRegressor",
            1,
            "1",
            "coefficients kernel_params kernel_type=LINEAR n_supports=0 one_class=0"
                + " post_transform=NONE rho support_vectors",
            SvmOps::regress);
  }

  private static Value regress(OpContext c) {
    if (PostTransform.of(c) != PostTransform.NONE) {
      throw c.unsupported("a transform of a support vector regression");
    }
    Value x = Rows.narrow(c);
    double[] weights = Lists.reals(c, "coefficients");
    long vectors = c.attrInt("n_supports");
    Value alike = x;
    if (vectors > 0) {
      alike = SvmKernel.of(c).of(x, Lists.reals(c, "support_vectors"), vectors);
    }
    Value sum = Scores.plus(c, LinearOps.product(c, alike, weights, 1), rho(c, 1));
    Value sign = c.map(select(gt(Ex.x(), number(0)), number(1), number(-1)), sum);
    return c.attrBool("one_class") ? sign : sum;
  }

  private static Expr number(double value) {
    return const_(ElementType.F32, value);
  }

  /// The first of the numbers that are added to sums.
  static double[] rho(OpContext c, int count) {
    double[] rho = Lists.reals(c, "rho");
    if (rho.length < count) {
      throw LoweringFault.of("has %d numbers in 'rho', needs %d".formatted(rho.length, count));
    }
    return Arrays.copyOf(rho, count);
  }
}
