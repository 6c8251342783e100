package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// GridSample beyond the standard's own tests: what a hostile grid reads, types, batches.
class GridSampleTest {
  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static TestModel line(String mode, String padding) {
    return TestModel.opset(20)
        .floats("x", "1", "1", "4")
        .floats("grid", "1", "6", "1")
        .node(
            "GridSample",
            "x grid",
            "y",
            attribute("mode", mode),
            attribute("padding_mode", padding))
        .output("y");
  }

  private static double[] sampled(String mode, String padding, double... grid) {
    Tensor x = SmallTensors.of(ElementType.F32, new long[] {1, 1, 4}, 1.0, 2.0, 3.0, 4.0);
    Tensor places = SmallTensors.of(ElementType.F32, new long[] {1, 6, 1}, grid);
    return SmallTensors.reals(
        Interpreter.run(imported(line(mode, padding)), List.of(x, places)).getFirst());
  }

  @ParameterizedTest
  @CsvSource({
    "linear, zeros, 1, 2.5, 0, 0", // beyond both ends nothing is
    "linear, border, 1, 2.5, 4, 1",
    "linear, reflection, 1, 2.5, 1, 4",
    "nearest, zeros, 1, 3, 0, 0",
    "nearest, border, 1, 3, 4, 1",
    "cubic, border, 1, 2.5, 4, 1"
  })
  void placesBesideTheImageAreAsThePaddingSays(
      String mode, String padding, double first, double middle, double far, double before) {
    double[] y = sampled(mode, padding, -0.75, 0, 2.75, -2.75, 0, 0);
    double least = mode.equals("cubic") ? 0.2 : 1e-6; // Keys' kernel swings over the ends
    assertThat(y[0]).isCloseTo(first, within(least));
    assertThat(y[1]).isCloseTo(middle, within(1e-6));
    assertThat(y[2]).isCloseTo(far, within(least));
    assertThat(y[3]).isCloseTo(before, within(least));
  }

  @ParameterizedTest
  @CsvSource({
    "linear, zeros",
    "linear, border",
    "linear, reflection",
    "nearest, zeros",
    "nearest, border",
    "nearest, reflection",
    "cubic, zeros",
    "cubic, border",
    "cubic, reflection"
  })
  void noGridReadsOutsideTheImage(String mode, String padding) {
    double[] y =
        sampled(
            mode,
            padding,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            3e38,
            -3e38,
            0);
    assertThat(y).hasSize(6);
    assertThat(y[5]).isBetween(2.0, 3.0);
  }

  @Test
  void wholeNumbersAreTakenButNotMixed() {
    TestModel nearest =
        TestModel.opset(20)
            .input("x", DataType.INT32, "1", "1", "3")
            .floats("grid", "1", "2", "1")
            .node("GridSample", "x grid", "y", attribute("mode", "nearest"))
            .output("y");
    Tensor x = SmallTensors.of(ElementType.I32, new long[] {1, 1, 3}, 7L, 8L, 1L << 30);
    Tensor grid = SmallTensors.of(ElementType.F32, new long[] {1, 2, 1}, 0.0, 0.9);
    Tensor y = Interpreter.run(imported(nearest), List.of(x, grid)).getFirst();
    assertThat(SmallTensors.integers(y)).containsExactly(8, 1 << 30);
    TestModel linear =
        TestModel.opset(20)
            .input("x", DataType.INT32, "1", "1", "3")
            .floats("grid", "1", "2", "1")
            .node("GridSample", "x grid", "y")
            .output("y");
    assertThatThrownBy(() -> imported(linear)).hasMessageContaining("'mode' = 'linear' on i32");
  }

  @Test
  void rowsAreApart() {
    TestModel model =
        TestModel.opset(16)
            .floats("x", "N", "3", "8", "9")
            .floats("grid", "N", "5", "6", "2")
            .node("GridSample", "x grid", "y")
            .output("y");
    Graph graph = imported(model);
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[N,3,5,6]");
    assertThat(graph.isBatchable()).isTrue();
  }

  @Test
  void aGridOfAnotherRankIsRefused() {
    TestModel model =
        TestModel.opset(16)
            .floats("x", "1", "3", "8", "9")
            .floats("grid", "1", "5", "6", "3")
            .node("GridSample", "x grid", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("has a grid f32[1,5,6,3] for f32[1,3,8,9]");
  }
}
