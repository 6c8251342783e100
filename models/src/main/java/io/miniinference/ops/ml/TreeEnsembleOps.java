package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.TreeEnsemble.Combination;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// Forests of versions 1 and 3
/// ([TreeEnsembleClassifier](https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleClassifier.html),
/// [TreeEnsembleRegressor](https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleRegressor.html)).
final class TreeEnsembleOps {
  private static final String NODES =
      "post_transform=NONE base_values nodes_falsenodeids nodes_featureids nodes_hitrates"
          + " nodes_missing_value_tracks_true nodes_modes nodes_nodeids nodes_treeids"
          + " nodes_truenodeids nodes_values ";
  private static final String CLASSES =
      NODES
          + "class_ids class_nodeids class_treeids class_weights classlabels_int64s"
          + " classlabels_strings";
  private static final String TARGETS =
      NODES
          + "aggregate_function=SUM n_targets target_ids target_nodeids target_treeids"
          + " target_weights";
  private static final String TENSORS =
      " base_values_as_tensor nodes_hitrates_as_tensor nodes_values_as_tensor ";

  private TreeEnsembleOps() {}

  static void addTo(OpTable table) {
    table
        .rows("ai.onnx.ml.TreeEnsembleClassifier", 1, "1", CLASSES, TreeEnsembleOps::classify)
        .rows(
            "ai.onnx.ml.TreeEnsembleClassifier",
            3,
            "1",
            CLASSES + TENSORS + "class_weights_as_tensor",
            TreeEnsembleOps::classify)
        .row("ai.onnx.ml.TreeEnsembleRegressor", 1, "1", TARGETS, TreeEnsembleOps::regress)
        .row(
            "ai.onnx.ml.TreeEnsembleRegressor",
            3,
            "1",
            TARGETS + TENSORS + "target_weights_as_tensor",
            TreeEnsembleOps::regress);
  }

  private static TreeEnsembleForest forest(OpContext c, Value x, String kind, long outputs) {
    Rows.features(x);
    boolean wide = x.type().element() == ElementType.F64;
    return new TreeEnsembleNodes(c, wide).forest(kind, outputs);
  }

  private static Value regress(OpContext c) {
    Value x = Rows.floats(c);
    long targets = c.attrInt("n_targets");
    double[] base = Lists.reals(c, "base_values");
    if (base.length != 1) {
      requireBase(base, targets);
    }
    String function = c.attrOneOf("aggregate_function", "SUM", "AVERAGE", "MIN", "MAX");
    Value scores = forest(c, x, "target", targets).emit(c, x, combination(function), targets);
    if (function.equals("AVERAGE")) {
      long trees = LongStream.of(c.attrInts("nodes_treeids")).distinct().count();
      scores = c.map(div(Ex.x(), const_(x.type().element(), trees)), scores);
    }
    Value all = c.cast(Scores.plus(c, scores, base), ElementType.F32);
    PostTransform transform = PostTransform.of(c);
    return targets == 1 ? transform.ofOne(c, all) : transform.apply(c, all);
  }

  private static Combination combination(String function) {
    return switch (function) {
      case "MIN" -> Combination.MIN;
      case "MAX" -> Combination.MAX;
      default -> Combination.SUM;
    };
  }

  private static void requireBase(double[] base, long outputs) {
    if (base.length != 0 && base.length != outputs) {
      throw LoweringFault.of(
          "has %d base values for %d outputs; it may have none or one for each"
              .formatted(base.length, outputs));
    }
  }

  private static List<Value> classify(OpContext c) {
    Value x = Rows.floats(c);
    ClassLabels labels = ClassLabels.of(c, "classlabels_int64s");
    if (labels.count() == 0) {
      throw LoweringFault.of("needs attribute 'classlabels_int64s' or 'classlabels_strings'");
    }
    double[] base = Lists.reals(c, "base_values");
    TreeEnsembleForest forest = forest(c, x, "class", labels.count());
    if (labels.count() == 2 && base.length < 2 && isOneClass(c)) {
      return ofTwo(c, forest.emit(c, x, Combination.SUM, 2), labels);
    }
    requireBase(base, labels.count());
    Value sums = forest.emit(c, x, Combination.SUM, labels.count());
    Value scores = Scores.plus(c, sums, base);
    Value label = labels.at(Scores.largest(c, scores));
    return List.of(label, PostTransform.of(c).apply(c, c.cast(scores, ElementType.F32)));
  }

  private static boolean isOneClass(OpContext c) {
    return Arrays.stream(c.attrInts("class_ids")).distinct().count() == 1;
  }

  /* Leaves that speak for one class alone mean the second, whichever they name: above one half where
  all are probabilities, else above zero. What a logistic transform makes probabilities of are
  none yet. */
  private static List<Value> ofTwo(OpContext c, Value sums, ClassLabels labels) {
    boolean signed = Arrays.stream(Lists.reals(c, "class_weights")).anyMatch(w -> w < 0);
    PostTransform transform = PostTransform.of(c);
    boolean areProbabilities = !signed && transform != PostTransform.LOGISTIC;
    boolean first = c.attrInts("class_ids")[0] == 0;
    Value sum = Scores.column(c, sums, first ? 0 : 1);
    double[] base = first ? Lists.reals(c, "base_values") : new double[0];
    Value wide = Scores.plus(c, sum, base);
    Value label = labels.ofTwo(Scores.isAbove(c, wide, areProbabilities ? 0.5 : 0));
    Value score = c.cast(wide, ElementType.F32);
    Value scores =
        first
            ? Scores.ofBoth(c, score, transform, signed)
            : transform.apply(c, c.cast(sums, ElementType.F32));
    return List.of(label, scores);
  }
}
