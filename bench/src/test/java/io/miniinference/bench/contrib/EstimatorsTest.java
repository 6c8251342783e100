package io.miniinference.bench.contrib;

import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.F64;
import static io.miniinference.ir.ElementType.I64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Linear models, support vector machines and what pipelines do ahead of them, as ONNX Runtime
/// computes them.
final class EstimatorsTest {
  private static final int FEATURES = 4;

  private static float[] numbers(long seed, int count) {
    Random random = new Random(seed);
    float[] all = new float[count];
    for (int i = 0; i < count; i++) {
      all[i] = random.nextFloat(-1, 1);
    }
    return all;
  }

  private static PeerModel model() {
    return PeerModel.opset(17).input("x", F32, 9, FEATURES);
  }

  private static Object[] with(Object[] attributes, Object... more) {
    List<Object> all = new ArrayList<>(List.of(attributes));
    all.addAll(List.of(more));
    return all.toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "1, NONE",
    "1, LOGISTIC",
    "1, SOFTMAX",
    "2, SOFTMAX",
    "3, NONE",
    "3, LOGISTIC",
    "3, SOFTMAX",
    "3, SOFTMAX_ZERO"
  })
  void linearClassifiers(int scores, String transform) {
    Peers.compare(
        model()
            .ml(
                "LinearClassifier",
                "x",
                "label scores",
                "coefficients",
                numbers(1, scores * FEATURES),
                "intercepts",
                numbers(2, scores),
                "classlabels_ints",
                Arrays.copyOf(new long[] {5, 0, 7}, Math.max(2, scores)),
                "multi_class",
                1,
                "post_transform",
                transform)
            .outputs("label scores"));
  }

  @Test
  void oneScoreWithoutLabelsStaysOne() {
    Peers.compare(
        model()
            .ml(
                "LinearClassifier",
                "x",
                "label scores",
                "coefficients",
                numbers(3, FEATURES),
                "intercepts",
                numbers(4, 1))
            .outputs("label scores"));
  }

  @ParameterizedTest
  @CsvSource({"1, NONE", "1, LOGISTIC", "3, NONE", "3, SOFTMAX", "2, LOGISTIC"})
  void linearRegressors(int targets, String transform) {
    Peers.compare(
        model()
            .ml(
                "LinearRegressor",
                "x",
                "y",
                "coefficients",
                numbers(5, targets * FEATURES),
                "intercepts",
                numbers(6, targets),
                "targets",
                targets,
                "post_transform",
                transform)
            .outputs("y"));
  }

  private static Object[] vectors(String kernel, int... counts) {
    int vectors = Arrays.stream(counts).sum();
    int pairs = counts.length * (counts.length - 1) / 2;
    return new Object[] {
      "kernel_type",
      kernel,
      "kernel_params",
      new float[] {0.4f, 0.25f, 3},
      "support_vectors",
      numbers(7, vectors * FEATURES),
      "coefficients",
      numbers(8, vectors * Math.max(1, counts.length - 1)),
      "rho",
      numbers(9, Math.max(1, pairs))
    };
  }

  private static void classify(Object... attributes) {
    Peers.compare(
        model().ml("SVMClassifier", "x", "label scores", attributes).outputs("label scores"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"LINEAR", "POLY", "RBF", "SIGMOID"})
  void supportVectorsOfSeveralClassesVote(String kernel) {
    classify(
        with(
            vectors(kernel, 3, 2, 4),
            "vectors_per_class",
            new long[] {3, 2, 4},
            "classlabels_ints",
            new long[] {4, 2, 9}));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "LOGISTIC", "SOFTMAX"})
  void supportVectorsOfTwoClasses(String transform) {
    classify(
        with(
            vectors("RBF", 3, 2),
            "vectors_per_class",
            new long[] {3, 2},
            "classlabels_ints",
            new long[] {4, 2},
            "post_transform",
            transform));
  }

  /* Of the sums that ONNX Runtime finds: for probabilities it iterates, and stops early. */
  @Test
  void supportVectorsOfTwoClassesGiveProbabilities() {
    Object[] plain =
        with(
            vectors("RBF", 3, 2),
            "vectors_per_class",
            new long[] {3, 2},
            "classlabels_ints",
            new long[] {4, 2});
    Object[] calibrated = with(plain, "prob_a", new float[] {-1.5f}, "prob_b", new float[] {0.25f});
    List<Tensor> sums = Peers.onnxRuntime(machine(plain).bytes(), machine(plain).request());
    PeerModel model = machine(calibrated);
    List<Tensor> own = Peers.answers(model.bytes(), model.request());
    assertThat(own.get(0).longs()).isEqualTo(sums.get(0).longs());
    float[] scores = own.get(1).floats();
    for (int i = 0; i < scores.length; i += 2) {
      float sum = sums.get(1).floats()[i + 1];
      double first = 1 / (1 + Math.exp(-1.5 * sum + 0.25));
      assertThat((double) scores[i]).isCloseTo(first, within(1e-6));
      assertThat((double) scores[i + 1]).isCloseTo(1 - first, within(1e-6));
    }
  }

  private static PeerModel machine(Object... attributes) {
    return model().ml("SVMClassifier", "x", "label scores", attributes).outputs("label scores");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void linearSupportVectorMachinesHaveASumForEachClass(int classes) {
    classify(
        "coefficients",
        numbers(10, classes * FEATURES),
        "kernel_params",
        new float[] {0, 0, 0},
        "rho",
        new float[] {0.25f},
        "classlabels_ints",
        Arrays.copyOf(new long[] {4, 2, 9}, classes));
  }

  @ParameterizedTest
  @CsvSource({"LINEAR, 0", "POLY, 0", "RBF, 0", "SIGMOID, 0", "RBF, 1"})
  void supportVectorRegressors(String kernel, int oneClass) {
    Peers.compare(
        model()
            .ml(
                "SVMRegressor",
                "x",
                "y",
                with(vectors(kernel, 5), "n_supports", 5, "one_class", oneClass))
            .outputs("y"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"MAX", "L1", "L2"})
  void rowsAreNormalised(String norm) {
    Peers.compare(model().ml("Normalizer", "x", "y", "norm", norm).outputs("y"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, FEATURES})
  void featuresAreScaled(int count) {
    Peers.compare(
        model()
            .ml("Scaler", "x", "y", "offset", numbers(11, count), "scale", numbers(12, count))
            .outputs("y"));
  }

  @Test
  void featuresAreHeldAgainstAThreshold() {
    Peers.compare(model().ml("Binarizer", "x", "y", "threshold", 0.25f).outputs("y"));
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, 0.5f})
  void missingNumbersAreReplaced(float missing) {
    float[] rows = {1, missing, 3, missing, 0.5f, 6};
    Peers.compare(
        PeerModel.opset(17)
            .input("x", Tensor.of(rows, 2, 3))
            .ml(
                "Imputer",
                "x",
                "y",
                "imputed_value_floats",
                new float[] {7, 8, 9},
                "replaced_value_float",
                missing)
            .outputs("y"));
  }

  @Test
  void missingWholeNumbersAreReplaced() {
    Peers.compare(
        PeerModel.opset(17)
            .input("x", Tensor.of(new long[] {1, -1, 3, -1}, 2, 2))
            .ml(
                "Imputer",
                "x",
                "y",
                "imputed_value_int64s",
                new long[] {7},
                "replaced_value_int64",
                -1)
            .outputs("y"));
  }

  @Test
  void columnsOfSeveralInputsAreOneVector() {
    Peers.compare(
        PeerModel.opset(17)
            .input("a", F32, 3, 2)
            .input("b", F32, 3, 1)
            .input("c", F32, 3, 4)
            .ml("FeatureVectorizer", "a b c", "y", "inputdimensions", new long[] {2, 1, 4})
            .outputs("y"));
  }

  @Test
  void someColumnsAreTaken() {
    Peers.compare(
        model()
            .constant("columns", PeerModel.whole(I64, new long[] {3}, 2, 0, 2))
            .ml("ArrayFeatureExtractor", "x columns", "y")
            .outputs("y"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"I64", "F32", "F64"})
  void categoriesBecomeColumns(ElementType type) {
    Tensor rows =
        switch (type) {
          case F32 -> Tensor.of(new float[] {3, 1, 8, 3}, 4, 1);
          case F64 -> Tensor.of(new double[] {3, 1, 8, 3}, 4, 1);
          default -> Tensor.of(new long[] {3, 1, 8, 3}, 4, 1);
        };
    Peers.compare(
        PeerModel.opset(17)
            .input("x", rows)
            .ml("OneHotEncoder", "x", "y", "cats_int64s", new long[] {1, 2, 3}, "zeros", 1)
            .outputs("y"));
  }

  @Test
  void numbersStandForNumbers() {
    long[] keys = {9, -4, 30, 2, 11};
    float[] values = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f};
    Peers.compare(
        PeerModel.opset(17)
            .input("x", Tensor.of(new long[] {2, 9, 10, -4, 30, 31, -5}, 7))
            .ml(
                "LabelEncoder",
                "x",
                "y",
                "keys_int64s",
                keys,
                "values_floats",
                values,
                "default_float",
                -3f)
            .outputs("y"));
  }

  @Test
  void missingNumbersHaveAValueToo() {
    float[] keys = {1.5f, Float.NaN, -0.5f};
    Peers.compare(
        PeerModel.opset(17)
            .classic(4)
            .input("x", Tensor.of(new float[] {Float.NaN, -0.5f, 1.5f, 7}, 4))
            .ml(
                "LabelEncoder",
                "x",
                "y",
                "keys_floats",
                keys,
                "values_int64s",
                new long[] {5, 6, 7},
                "default_int64",
                -9)
            .outputs("y"));
  }

  /* StandardScaler, LogisticRegression. */
  @Test
  void aPipelineScalesClassifiesAndNamesItsProbabilities() {
    Peers.compare(
        model()
            .ml(
                "Scaler",
                "x",
                "scaled",
                "offset",
                numbers(13, FEATURES),
                "scale",
                numbers(14, FEATURES))
            .ml(
                "LinearClassifier",
                "scaled",
                "label raw",
                "coefficients",
                numbers(15, 3 * FEATURES),
                "intercepts",
                numbers(16, 3),
                "classlabels_ints",
                new long[] {0, 1, 2},
                "post_transform",
                "SOFTMAX")
            .ml("Normalizer", "raw", "scores", "norm", "L1")
            .outputs("label scores"));
  }
}
