package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static io.miniinference.ops.TestModel.real;
import static io.miniinference.ops.TestModel.reals;
import static io.miniinference.ops.TestModel.strings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Linear models, support vector machines and steps of pipelines: what their files may not say, and
/// what ONNX Runtime has no answer for.
class EstimatorsTest {
  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static TestModel of(String op, AttributeProto... attributes) {
    return TestModel.opset(17)
        .floats("x", "N", "2")
        .node("ai.onnx.ml." + op, "x", "y", attributes)
        .output("y");
  }

  private static float[] run(TestModel model, float... rows) {
    Tensor x = Tensor.of(rows, rows.length / 2, 2);
    return Interpreter.run(imported(model), List.of(x)).getFirst().floats();
  }

  private static void refuses(String why, String op, AttributeProto... attributes) {
    assertThatThrownBy(() -> imported(of(op, attributes))).hasMessageContaining(why);
  }

  @Test
  void rowsOfEstimatorsAreApart() {
    AttributeProto[] one = {reals("offset", List.of(1f, 2f)), reals("scale", List.of(3f))};
    assertThat(imported(of("Scaler", one)).isBatchable()).isTrue();
    assertThat(run(of("Scaler", one), 2, 4, 1, 1)).containsExactly(3, 6, 0, -3);
  }

  @Test
  void coefficientsMustMatchTheRows() {
    refuses(
        "has 3 coefficients for 1 outputs of 2 features",
        "LinearRegressor",
        reals("coefficients", List.of(1f, 2f, 3f)));
    refuses(
        "outputs of 2 features",
        "LinearRegressor",
        reals("coefficients", List.of(1f, 2f)),
        attribute("targets", Long.MAX_VALUE));
    refuses(
        "has 1 labels for 2 classes",
        "LinearClassifier",
        reals("coefficients", List.of(1f, 2f)),
        reals("intercepts", List.of(0f)),
        integers("classlabels_ints", 4));
    refuses(
        "has 3 numbers in 'scale'",
        "Scaler",
        reals("scale", List.of(1f, 2f, 3f)),
        reals("offset", List.of(1f)));
  }

  @Test
  void transformsAndNormsAreThoseOfTheStandard() {
    refuses(
        "'post_transform'",
        "LinearRegressor",
        reals("coefficients", List.of(1f, 2f)),
        attribute("post_transform", "TANH"));
    refuses("'norm'", "Normalizer", attribute("norm", "L3"));
    refuses(
        "'kernel_type'",
        "SVMRegressor",
        attribute("kernel_type", "COSINE"),
        attribute("n_supports", 1),
        reals("coefficients", List.of(1f)));
  }

  private static AttributeProto[] vectors(long... counts) {
    return new AttributeProto[] {
      integers("vectors_per_class", counts),
      integers("classlabels_ints", 0, 1, 2),
      reals("coefficients", List.of(1f, 1f, 1f, 1f, 1f, 1f)),
      reals("support_vectors", List.of(1f, 2f, 3f, 4f, 5f, 6f)),
      reals("rho", List.of(0f, 0f, 0f)),
      reals("prob_a", List.of(1f, 1f, 1f)),
      reals("prob_b", List.of(1f, 1f, 1f))
    };
  }

  @Test
  void probabilitiesOfSeveralClassesOfSupportVectorsAreRefusedWithWhatToDo() {
    refuses("train with probability=False", "SVMClassifier", vectors(1, 1, 1));
    refuses("coefficients for 4 support vectors", "SVMClassifier", vectors(1, 1, 2));
    refuses("vectors per class", "SVMClassifier", vectors(1, -1, 3));
    refuses("vectors per class", "SVMClassifier", vectors(1, Long.MAX_VALUE, 1));
  }

  @Test
  void pairsOfMoreClassesThanMayBeHeldAreRefused() {
    for (int classes : new int[] {1_000, 100_000}) {
      long[] counts = new long[classes];
      counts[0] = 1;
      refuses(
          "every pair of %,d classes, which are too many".formatted(classes),
          "SVMClassifier",
          integers("vectors_per_class", counts),
          integers("classlabels_ints", LongStream.range(0, classes).toArray()),
          reals("coefficients", Collections.nCopies(classes - 1, 1f)),
          reals("support_vectors", List.of(1f, 2f)));
    }
  }

  private static AttributeProto[] radial(float gamma, int count, Float... vectors) {
    return new AttributeProto[] {
      attribute("kernel_type", "RBF"),
      attribute("n_supports", count),
      reals("kernel_params", List.of(gamma, 0f, 3f)),
      reals("coefficients", Collections.nCopies(count, 1f)),
      reals("support_vectors", List.of(vectors)),
      reals("rho", List.of(0f))
    };
  }

  @Test
  void supportVectorsMustMatchTheRows() {
    refuses(
        "has 3 numbers in 'support_vectors' for 2 support vectors of 2 features",
        "SVMRegressor",
        radial(1, 2, 1f, 2f, 3f));
    refuses("for 2 support vectors of 2 features", "SVMRegressor", radial(1, 2));
  }

  @Test
  void radialKernelsOfFeaturesThatAreNotScaledAreExact() {
    float x = 1000.3f;
    double near = Math.exp(-(x - 1000.0) * (x - 1000.0));
    float[] sums = run(of("SVMRegressor", radial(1, 2, 1000f, 0f, -1000f, 0f)), x, 0, 0, 0);
    assertThat(sums[0]).isCloseTo((float) near, within(1e-6f));
    assertThat(sums[1]).isZero();
  }

  private static float[] ofDoubles(String op, double[] row, AttributeProto... attributes) {
    TestModel model =
        TestModel.opset(17)
            .input("x", DataType.DOUBLE, "N", "2")
            .node("ai.onnx.ml." + op, "x", "y", attributes)
            .output("y");
    return Interpreter.run(imported(model), List.of(Tensor.of(row, 1, 2))).getFirst().floats();
  }

  @Test
  void numbersOf64BitsAreNarrowedOnceTheyAreScaled() {
    AttributeProto[] scaler = {
      reals("offset", List.of(1e9f, 0f)), reals("scale", List.of(0.5f, 1e-30f))
    };
    assertThat(ofDoubles("Scaler", new double[] {1e9 + 1, 1e60}, scaler))
        .containsExactly(0.5f, (float) 1e30);
    for (String norm : List.of("MAX", "L1", "L2")) {
      float[] rows = ofDoubles("Normalizer", new double[] {0, 1e100}, attribute("norm", norm));
      assertThat(rows).as(norm).containsExactly(0, 1);
    }
  }

  @Test
  void mapsAreRefusedWithWhatToDo() {
    refuses("maps are not served", "DictVectorizer");
  }

  @Test
  void aMapOfProbabilitiesIsTheirTensor() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "N", "2")
            .node("ai.onnx.ml.ZipMap", "x", "y", strings("classlabels_strings", List.of("a", "b")))
            .maps("y");
    assertThat(run(model, 0.25f, 0.75f)).containsExactly(0.25f, 0.75f);
  }

  @Test
  void whatIsNoNumberIsOfNoCategory() {
    AttributeProto categories = integers("cats_int64s", 0, 5);
    assertThat(run(of("OneHotEncoder", categories, attribute("zeros", 1)), Float.NaN, 5))
        .containsExactly(0, 0, 0, 1);
  }

  @Test
  void anUnknownCategoryHasNoColumnOrFailsItsRow() {
    AttributeProto categories = integers("cats_int64s", 3, 5);
    assertThat(run(of("OneHotEncoder", categories, attribute("zeros", 1)), 5, 4))
        .containsExactly(0, 1, 0, 0);
    TestModel strict = of("OneHotEncoder", categories, attribute("zeros", 0));
    assertThat(run(strict, 5, 3)).containsExactly(0, 1, 1, 0);
    assertThatThrownBy(() -> run(strict, 5, 4)).hasMessageContaining("index 2 is outside [0, 1]");
  }

  @Test
  void columnsThatLackAreZeroAndThoseBehindAreLeftOut() {
    assertThat(run(of("FeatureVectorizer", integers("inputdimensions", 3)), 1, 2, 3, 4))
        .containsExactly(1, 2, 0, 3, 4, 0);
    assertThat(run(of("FeatureVectorizer", integers("inputdimensions", 1)), 1, 2, 3, 4))
        .containsExactly(1, 3);
    refuses("'inputdimensions'", "FeatureVectorizer", integers("inputdimensions", 1, 1));
  }

  @Test
  void wholeNumbersOfLabelsAreSearchedFor() {
    long[] keys = new long[1_000];
    long[] values = new long[1_000];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = 7L * ((i * 387L) % 1_000) - 2_000;
      values[i] = i;
    }
    TestModel model =
        TestModel.opset(17)
            .input("x", DataType.INT64, "N")
            .node(
                "ai.onnx.ml.LabelEncoder",
                "x",
                "y",
                integers("keys_int64s", keys),
                integers("values_int64s", values),
                attribute("default_int64", -5),
                real("default_float", 1))
            .output("y");
    long[] asked = new long[2_000];
    for (int i = 0; i < 1_000; i++) {
      asked[i] = keys[i];
      asked[1_000 + i] = keys[i] + 1;
    }
    long[] answers =
        Interpreter.run(imported(model), List.of(Tensor.of(asked, 2_000))).getFirst().longs();
    for (int i = 0; i < 1_000; i++) {
      assertThat(answers[i]).isEqualTo(i);
      assertThat(answers[1_000 + i]).isEqualTo(-5);
    }
  }
}
