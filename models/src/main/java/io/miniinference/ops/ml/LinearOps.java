package io.miniinference.ops.ml;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;

/// Linear models: one product, intercepts and a transform
/// ([LinearClassifier](https://onnx.ai/onnx/operators/onnx_aionnxml_LinearClassifier.html),
/// [LinearRegressor](https://onnx.ai/onnx/operators/onnx_aionnxml_LinearRegressor.html)). Whether
/// classes were trained one against the others (`multi_class`) makes no difference here.
final class LinearOps {
  private LinearOps() {}

  static void addTo(OpTable table) {
    table
        .rows(
            "ai.onnx.ml.LinearClassifier",
            1,
            "1",
            "classlabels_ints classlabels_strings coefficients intercepts multi_class=0"
                + " post_transform=NONE",
            LinearOps::classify)
        .row(
            "ai.onnx.ml.LinearRegressor",
            1,
            "1",
            "coefficients intercepts post_transform=NONE targets=1",
            LinearOps::regress);
  }

  private static Value regress(OpContext c) {
    long targets = c.attrInt("targets");
    double[] intercepts = Lists.reals(c, "intercepts");
    Value x = Rows.narrow(c);
    Value scores = product(c, x, Lists.reals(c, "coefficients"), targets);
    if (intercepts.length == targets) {
      scores = Scores.plus(c, scores, intercepts);
    }
    PostTransform transform = PostTransform.of(c);
    return targets == 1 ? transform.ofOne(c, scores) : transform.apply(c, scores);
  }

  /// `X × Wᵀ`, where W is `[outputs, F]`.
  static Value product(OpContext c, Value x, double[] weights, long outputs) {
    long features = Rows.features(x);
    if (outputs < 1 || outputs > weights.length || outputs * features != weights.length) {
      throw LoweringFault.of(
          "has %,d coefficients for %d outputs of %d features"
              .formatted(weights.length, outputs, features));
    }
    Value w = Lists.constant(c, ElementType.F32, weights, outputs, features);
    return c.matMul(x, w, false, true);
  }

  private static List<Value> classify(OpContext c) {
    ClassLabels labels = ClassLabels.of(c, "classlabels_ints");
    double[] intercepts = Lists.reals(c, "intercepts");
    Value x = Rows.narrow(c);
    double[] weights = Lists.reals(c, "coefficients");
    long outputs = intercepts.length > 0 ? intercepts.length : weights.length / Rows.features(x);
    Value scores = Scores.plus(c, product(c, x, weights, outputs), intercepts);
    PostTransform transform = PostTransform.of(c);
    if (outputs == 1) {
      return ofTwo(c, scores, labels, transform);
    }
    if (labels.count() < outputs) {
      labels.require(outputs);
    }
    return List.of(labels.at(Scores.largest(c, scores)), transform.apply(c, scores));
  }

  /* One score speaks for the second of two classes; without labels, it is answered as it is. */
  private static List<Value> ofTwo(
      OpContext c, Value score, ClassLabels labels, PostTransform transform) {
    ClassLabels both = labels.orNumbers(2).require(2);
    Value scores =
        labels.count() == 2 ? Scores.ofBoth(c, score, transform, false) : transform.ofOne(c, score);
    return List.of(both.ofTwo(Scores.isAbove(c, score, 0)), scores);
  }
}
