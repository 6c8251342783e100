package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Fourier transforms beside their sums, and what the standard's own tests do not show: batches,
/// lengths, windows, bad attributes.
class FourierOpsTest {
  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static Tensor run(TestModel model, Tensor... inputs) {
    return Interpreter.run(imported(model), List.of(inputs)).getFirst();
  }

  private static Tensor random(long... shape) {
    float[] values = new float[(int) Tensor.elements(shape)];
    var random = new Random(1);
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return Tensor.of(values, shape);
  }

  /* The sum that defines one element, as its real and its imaginary part. */
  private static double[] sum(float[] x, int parts, int points, int k, int sign) {
    double[] sum = new double[2];
    for (int j = 0; j < Math.min(points, x.length / parts); j++) {
      double angle = sign * 2 * Math.PI * j * k / points;
      double real = x[j * parts];
      double imaginary = parts == 2 ? x[j * parts + 1] : 0;
      sum[0] += real * Math.cos(angle) - imaginary * Math.sin(angle);
      sum[1] += real * Math.sin(angle) + imaginary * Math.cos(angle);
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"1, 12, 12", "2, 12, 12", "1, 12, 7", "2, 7, 16", "1, 1, 1", "2, 5, 1"})
  void aTransformIsItsSumWhateverItsLength(int parts, int elements, int points) {
    TestModel model =
        TestModel.opset(20)
            .floats("x", "" + elements, "" + parts)
            .constant("length", points)
            .node("DFT", "x length", "y")
            .output("y");
    Tensor x = random(elements, parts);

    Tensor y = run(model, x);

    assertThat(y.shape()).containsExactly(points, 2);
    for (int k = 0; k < points; k++) {
      double[] expected = sum(x.floats(), parts, points, k, -1);
      assertThat((double) y.floats()[2 * k]).isCloseTo(expected[0], within(1e-5));
      assertThat((double) y.floats()[2 * k + 1]).isCloseTo(expected[1], within(1e-5));
    }
  }

  @ParameterizedTest
  @CsvSource({"8, 17", "9, 17", "1, 17", "2, 19"})
  void aRealSignalComesBackFromItsHalfSpectrum(int points, int opset) {
    TestModel model =
        TestModel.opset(opset)
            .floats("x", "3", "" + points, "4", "1")
            .constant("length", points)
            .node("DFT", "x", "half", attribute("onesided", 1))
            .node("DFT", "half length", "y", attribute("onesided", 1), attribute("inverse", 1))
            .output("y");
    Tensor x = random(3, points, 4, 1);

    Tensor y = run(model, x);

    assertThat(y.shape()).containsExactly(3, points, 4, 1);
    for (int i = 0; i < x.floats().length; i++) {
      assertThat(y.floats()[i]).isCloseTo(x.floats()[i], within(1e-6f));
    }
  }

  @Test
  void rowsAreApart() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "N", "400", "1")
            .constant("step", 160)
            .halves("window", 64)
            .node("STFT", "x step window", "y")
            .output("y");
    Graph graph = imported(model);
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[N,3,33,2]");
    assertThat(graph.isBatchable()).isTrue();
  }

  @Test
  void aRealSignalNeedsNoAxisForItsOnePart() {
    Tensor x = random(2, 23);
    Tensor with = run(frames("2", "23", "1"), Tensor.of(x.floats(), 2, 23, 1));
    Tensor without = run(frames("2", "23"), x);
    assertThat(without.shape()).containsExactly(2, 4, 5, 2);
    assertThat(without.floats()).containsExactly(with.floats());
  }

  private static TestModel frames(String... shape) {
    return TestModel.opset(17)
        .floats("x", shape)
        .halves("window", 8)
        .constant("step", 5)
        .node("STFT", "x step window", "y")
        .output("y");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 0", "2, 0"})
  void framesAreTransformedByThemselves(int parts, int onesided) {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "1", "23", "" + parts)
            .floats("window", "8")
            .constant("step", 5)
            .node("STFT", "x step window", "y", attribute("onesided", onesided))
            .output("y");
    Tensor x = random(1, 23, parts);
    Tensor window = random(8);

    Tensor y = run(model, x, window);

    int results = onesided == 1 ? 5 : 8;
    assertThat(y.shape()).containsExactly(1, 4, results, 2);
    for (int frame = 0; frame < 4; frame++) {
      float[] seen = new float[8 * parts];
      for (int i = 0; i < seen.length; i++) {
        seen[i] = x.floats()[frame * 5 * parts + i] * window.floats()[i / parts];
      }
      for (int k = 0; k < results; k++) {
        double[] expected = sum(seen, parts, 8, k, -1);
        int at = (frame * results + k) * 2;
        assertThat((double) y.floats()[at]).isCloseTo(expected[0], within(1e-5));
        assertThat((double) y.floats()[at + 1]).isCloseTo(expected[1], within(1e-5));
      }
    }
  }

  private static void assertRefused(TestModel model, String reason) {
    assertThatThrownBy(() -> imported(model)).hasMessageContaining(reason);
  }

  private static TestModel dft(String elements, String parts, long length, long axis) {
    return TestModel.opset(20)
        .floats("x", "2", elements, parts)
        .constant("length", length)
        .constant("axis", axis)
        .output("y");
  }

  @Test
  void whatCannotBeTransformedIsRefused() {
    assertRefused(dft("8", "1", 8, 2).node("DFT", "x length axis", "y"), "that of the parts");
    assertRefused(dft("8", "3", 8, 1).node("DFT", "x length axis", "y"), "has 1 or 2 parts");
    assertRefused(dft("8", "1", 0, 1).node("DFT", "x length axis", "y"), "transforms 0 points");
    assertRefused(dft("8", "1", 8, 7).node("DFT", "x length axis", "y"), "axis 7 is outside");
    assertRefused(
        dft("8", "2", 8, 1).node("DFT", "x length axis", "y", attribute("onesided", 1)),
        "one-sided, which takes real elements");
    assertRefused(
        dft("60000", "1", 60_000, 1).node("DFT", "x length axis", "y"),
        "transforms 60000 elements to 60000 by a matrix");
    assertRefused(
        dft("8", "1", Integer.MAX_VALUE, 1).node("DFT", "x length axis", "y"), "by a matrix");
    assertRefused(
        dft("8", "1", Long.MAX_VALUE, 1).node("DFT", "x length axis", "y"),
        "transforms 9223372036854775807 points");
  }

  @Test
  void framesThatDoNotFitAreRefused() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "1", "10", "1")
            .constant("step", 0)
            .constant("length", 11)
            .output("y");
    assertRefused(
        model.node("STFT", "x step - length", "y"), "frames of 11 every 0 elements of 10");
  }

  @Test
  void aMelMatrixOfAnySizesIsMadeOrRefusedAtOnce() {
    TestModel model =
        TestModel.opset(17)
            .constant("bands", 40)
            .constant("length", 400)
            .constant("rate", 1)
            .halves("edge", 1)
            .floats("x", "1", "201")
            .node("MelWeightMatrix", "bands length rate edge edge", "mel")
            .node("MatMul", "x mel", "y")
            .output("y");
    assertThat(imported(model).outputs().getFirst().type()).hasToString("f32[1,40]");
    TestModel huge =
        TestModel.opset(17)
            .constant("bands", 1L << 40)
            .constant("length", 1L << 40)
            .constant("rate", 1)
            .halves("edge", 1)
            .node("MelWeightMatrix", "bands length rate edge edge", "y")
            .output("y");
    assertRefused(huge, "makes a matrix of");
  }
}
