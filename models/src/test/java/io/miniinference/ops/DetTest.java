package io.miniinference.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Determinants, held to the expansion along the first row.
class DetTest {
  private static final long SEED = 5;

  private static TestModel model(String... dims) {
    return TestModel.opset(22).input("x", DataType.DOUBLE, dims).node("Det", "x", "y").output("y");
  }

  private static double[] run(TestModel model, Tensor x) {
    var graph = Importer.importModel(model.read(), ImportOptions.defaults());
    return Interpreter.run(graph, List.of(x)).getFirst().doubles();
  }

  private static double expanded(double[][] x) {
    if (x.length == 0) {
      return 1;
    }
    double sum = 0;
    for (int j = 0; j < x.length; j++) {
      sum += (j % 2 == 0 ? 1 : -1) * x[0][j] * expanded(without(x, j));
    }
    return sum;
  }

  private static double[][] without(double[][] x, int column) {
    double[][] rest = new double[x.length - 1][x.length - 1];
    for (int i = 1; i < x.length; i++) {
      for (int j = 0; j < x.length; j++) {
        if (j != column) {
          rest[i - 1][j < column ? j : j - 1] = x[i][j];
        }
      }
    }
    return rest;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 6})
  void determinantsAreThoseOfTheExpansion(int rows) {
    Random random = new Random(SEED);
    int batch = 4;
    double[] x = random.doubles((long) batch * rows * rows, -2, 2).toArray();
    double[] expected = new double[batch];
    for (int n = 0; n < batch; n++) {
      double[][] matrix = new double[rows][rows];
      for (int i = 0; i < rows * rows; i++) {
        matrix[i / rows][i % rows] = x[n * rows * rows + i];
      }
      expected[n] = expanded(matrix);
    }
    String size = Integer.toString(rows);
    assertThat(run(model("N", size, size), Tensor.of(x, batch, rows, rows)))
        .as("seed %d", SEED)
        .containsExactly(expected, within(1e-12));
  }

  @Test
  void matricesWithoutAPivotHaveNone() {
    double[] x = {0, 1, 2, 0, 3, 4, 0, 5, 7};
    assertThat(run(model("3", "3"), Tensor.of(x, 3, 3))).containsExactly(0);
    double[] turned = {0, 1, 1, 0};
    assertThat(run(model("2", "2"), Tensor.of(turned, 2, 2))).containsExactly(-1);
  }

  @Test
  void whatIsNoSquareOrTooLargeIsRefused() {
    assertThatThrownBy(() -> Importer.importModel(model("2", "3").read(), ImportOptions.defaults()))
        .hasMessageContaining("takes square matrices, not f64[2,3]");
    assertThatThrownBy(
            () -> Importer.importModel(model("65", "65").read(), ImportOptions.defaults()))
        .hasMessageContaining("takes matrices of up to 64 rows, not 65");
  }

  @Test
  void integersHaveNone() {
    TestModel model =
        TestModel.opset(22).input("x", DataType.INT32, "2", "2").node("Det", "x", "y").output("y");
    assertThatThrownBy(() -> Importer.importModel(model.read(), ImportOptions.defaults()))
        .hasMessageContaining("determinants of i32 is not supported");
  }
}
