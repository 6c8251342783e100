package io.miniinference.bench.contrib;

import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.F64;

import io.miniinference.bench.contrib.ForestAttributes.Entry;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Forests as the converters of scikit-learn, XGBoost and LightGBM write them, as ONNX Runtime
/// computes them.
final class ForestsTest {
  private static final int FEATURES = 6;
  private static final String[] ALL_MODES = {
    "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"
  };

  /// Rows on quarters, as thresholds are, some of them missing.
  private static Tensor rows(ElementType type) {
    Random random = new Random(3);
    Tensor rows =
        type == F32
            ? Tensor.of(new float[37 * FEATURES], 37, FEATURES)
            : type == F64
                ? Tensor.of(new double[37 * FEATURES], 37, FEATURES)
                : Tensor.of(new long[37 * FEATURES], 37, FEATURES);
    TensorView view = TensorView.of(rows);
    for (int i = 0; i < rows.elements(); i++) {
      view.realAt(i, random.nextInt(12) == 0 ? Double.NaN : random.nextInt(-8, 9) / 4.0);
    }
    return rows;
  }

  private static PeerModel model(ElementType type) {
    return PeerModel.opset(17).input("x", rows(type));
  }

  private static void classify(ElementType type, Object... attributes) {
    Peers.compare(
        model(type)
            .ml("TreeEnsembleClassifier", "x", "label scores", attributes)
            .outputs("label scores"));
  }

  private static long[] labels(int count) {
    return IntStream.range(0, count).mapToLong(i -> 3 * i + 1).toArray();
  }

  /* Random forest: each leaf has the share of each class, divided by the number of trees. */
  private static List<Entry> shares(ForestAttributes forest, int classes, int trees) {
    double[] shares = forest.random().doubles(classes).toArray();
    double sum = IntStream.range(0, classes).mapToDouble(i -> shares[i]).sum();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < classes; i++) {
      entries.add(new Entry(i, (float) (shares[i] / sum / trees)));
    }
    return entries;
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"})
  void aRandomForestOfSeveralClasses(String transform) {
    ForestAttributes forest = new ForestAttributes(5, FEATURES, "BRANCH_LEQ");
    forest.grow(20, 7, _ -> shares(forest, 4, 20));
    classify(
        F32,
        forest.attributes("class", "classlabels_int64s", labels(4), "post_transform", transform));
  }

  @ParameterizedTest
  @ValueSource(strings = {"F32", "F64", "I64"})
  void everyKindOfBranchTakesMissingNumbers(ElementType type) {
    ForestAttributes forest = new ForestAttributes(6, FEATURES, ALL_MODES);
    forest.grow(15, 6, _ -> shares(forest, 3, 15));
    classify(type, forest.attributes("class", "classlabels_int64s", labels(3)));
  }

  /* Leaves of one column: probabilities of the second class, or sums of either sign. */
  @ParameterizedTest
  @CsvSource({
    "NONE, true, 0",
    "NONE, false, 0",
    "LOGISTIC, true, 0.25",
    "LOGISTIC, false, -0.5",
    "SOFTMAX, false, 0",
    "SOFTMAX, true, 0",
    "SOFTMAX_ZERO, false, 0.125"
  })
  void leavesOfOneColumnMeanTheSecondOfTwoClasses(String transform, boolean shares, float base) {
    ForestAttributes forest = new ForestAttributes(7, FEATURES, "BRANCH_LT");
    float low = shares ? 0 : -1;
    forest.grow(
        9, 5, _ -> List.of(new Entry(0, forest.random().nextFloat(low, 1) / (shares ? 9 : 1))));
    Object[] more = {"classlabels_int64s", labels(2), "post_transform", transform};
    Object[] based = {
      "classlabels_int64s",
      labels(2),
      "post_transform",
      transform,
      "base_values",
      new float[] {base}
    };
    classify(F32, forest.attributes("class", base == 0 ? more : based));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "LOGISTIC", "SOFTMAX"})
  void leavesThatNameTheSecondOfTwoClassesLeaveTheFirstAtZero(String transform) {
    ForestAttributes forest = new ForestAttributes(8, FEATURES, "BRANCH_GT");
    forest.grow(9, 5, _ -> List.of(new Entry(1, forest.random().nextFloat(-1, 1))));
    classify(
        F32,
        forest.attributes("class", "classlabels_int64s", labels(2), "post_transform", transform));
  }

  /* XGBoost and LightGBM: tree k speaks for class k modulo their number. */
  @ParameterizedTest
  @ValueSource(strings = {"SOFTMAX", "NONE"})
  void boostedTreesOfSeveralClassesTakeTurns(String transform) {
    ForestAttributes forest = new ForestAttributes(9, FEATURES, "BRANCH_LT");
    forest.grow(15, 4, tree -> List.of(new Entry(tree % 3, forest.random().nextFloat(-1, 1))));
    classify(
        F32,
        forest.attributes(
            "class",
            "classlabels_int64s",
            labels(3),
            "post_transform",
            transform,
            "base_values",
            new float[] {0.5f, 0.25f, -0.125f}));
  }

  private static void regress(ElementType type, Object... attributes) {
    Peers.compare(model(type).ml("TreeEnsembleRegressor", "x", "y", attributes).outputs("y"));
  }

  @ParameterizedTest
  @CsvSource({
    "SUM, 1",
    "AVERAGE, 1",
    "MIN, 1",
    "MAX, 1",
    "SUM, 3",
    "AVERAGE, 3",
    "MIN, 3",
    "MAX, 3"
  })
  void treesAreAddedAveragedOrCompared(String function, int targets) {
    ForestAttributes forest = new ForestAttributes(10, FEATURES, ALL_MODES);
    forest.grow(
        12,
        6,
        tree -> {
          List<Entry> all = new ArrayList<>();
          for (int i = 0; i < targets; i++) {
            all.add(new Entry(i, forest.random().nextFloat(-2, 2)));
          }
          return all;
        });
    float[] base = new float[targets];
    base[0] = 0.75f;
    regress(
        F32,
        forest.attributes(
            "target", "n_targets", targets, "aggregate_function", function, "base_values", base));
  }

  @ParameterizedTest
  @CsvSource({"LOGISTIC, 1", "SOFTMAX, 1", "LOGISTIC, 2", "SOFTMAX, 2", "PROBIT, 2", "PROBIT, 1"})
  void sumsAreTransformed(String transform, int targets) {
    ForestAttributes forest = new ForestAttributes(11, FEATURES, "BRANCH_LEQ");
    forest.grow(
        4, 3, tree -> List.of(new Entry(tree % targets, forest.random().nextFloat(0.01f, 0.2f))));
    regress(F32, forest.attributes("target", "n_targets", targets, "post_transform", transform));
  }

  @Test
  void doublesAreComparedAndAddedAsSuch() {
    ForestAttributes forest = new ForestAttributes(12, FEATURES, ALL_MODES);
    forest.grow(12, 6, _ -> List.of(new Entry(0, forest.random().nextFloat(-1, 1))));
    regress(F64, forest.wide("target", "n_targets", 1, "base_values", new float[] {0.25f}));
  }
}
