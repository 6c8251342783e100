package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Places of the largest elements, and images made of them again.
class PooledPlacesTest {
  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static List<Tensor> run(TestModel model, Tensor... inputs) {
    return Interpreter.run(imported(model), List.of(inputs));
  }

  /* Few values, so that windows have equal ones. */
  private static Tensor random(long... shape) {
    float[] values = new float[(int) Tensor.elements(shape)];
    var random = new Random(values.length);
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(6) - 3;
    }
    return Tensor.of(values, shape);
  }

  private static TestModel pool(String batch, AttributeProto... attributes) {
    return TestModel.opset(12)
        .floats("x", batch, "3", "9", "8")
        .node("MaxPool", "x", "y places", attributes)
        .output("y")
        .output("places");
  }

  @ParameterizedTest
  @CsvSource({"2, 2, 0, 1, 0", "3, 1, 1, 1, 0", "3, 2, 1, 2, 1", "2, 3, 0, 2, 1"})
  void aPlaceIsThatOfTheFirstLargestElementOfItsWindow(
      int kernel, int stride, int pad, int dilation, int ceil) {
    Tensor x = random(2, 3, 9, 8);
    List<Tensor> results =
        run(
            pool(
                "2",
                integers("kernel_shape", kernel, kernel),
                integers("strides", stride, stride),
                integers("pads", pad, pad, pad, pad),
                integers("dilations", dilation, dilation),
                attribute("ceil_mode", ceil)),
            x);
    long[] shape = results.getFirst().shape();
    int k = 0;
    for (int image = 0; image < 6; image++) {
      for (int i = 0; i < shape[2]; i++) {
        for (int j = 0; j < shape[3]; j++, k++) {
          int place = first(x.floats(), image, i, j, kernel, stride, pad, dilation);
          assertThat(results.get(1).longs()[k]).isEqualTo(place);
          assertThat(results.getFirst().floats()[k]).isEqualTo(x.floats()[place]);
        }
      }
    }
    assertThat(k).isEqualTo(results.get(1).longs().length);
  }

  private static int first(
      float[] x, int image, int i, int j, int kernel, int stride, int pad, int dilation) {
    int best = -1;
    for (int a = 0; a < kernel; a++) {
      for (int b = 0; b < kernel; b++) {
        int row = i * stride - pad + a * dilation;
        int column = j * stride - pad + b * dilation;
        int place = (image * 9 + row) * 8 + column;
        boolean isOn = row >= 0 && row < 9 && column >= 0 && column < 8;
        if (isOn && (best < 0 || x[place] > x[best])) {
          best = place;
        }
      }
    }
    return best;
  }

  @Test
  void columnsMayBeCountedFirst() {
    AttributeProto kernel = integers("kernel_shape", 2, 2);
    Tensor x = random(2, 3, 9, 8);
    long[] byRows = run(pool("2", kernel), x).get(1).longs();
    long[] byColumns = run(pool("2", kernel, attribute("storage_order", 1)), x).get(1).longs();
    for (int k = 0; k < byRows.length; k++) {
      long image = byRows[k] / 72;
      long row = byRows[k] % 72 / 8;
      long column = byRows[k] % 8;
      assertThat(byColumns[k]).isEqualTo(image * 72 + column * 9 + row);
    }
  }

  @Test
  void bytesAndThreeAxes() {
    var model =
        TestModel.opset(12)
            .input("x", DataType.INT8, "1", "2", "3", "3", "2")
            .node("MaxPool", "x", "y places", integers("kernel_shape", 2, 2, 2))
            .output("y")
            .output("places");
    byte[] values = new byte[36];
    Arrays.fill(values, (byte) -128);
    values[17] = -127;
    List<Tensor> results =
        run(model, Tensor.of(ElementType.I8, ByteBuffer.wrap(values), 1, 2, 3, 3, 2));
    assertThat(results.get(1).longs()).containsExactly(0, 2, 6, 17, 18, 20, 24, 26);
  }

  @Test
  void placesCountRowsOfTheBatchSoThatRequestsAreNotPacked() {
    Graph graph = imported(pool("N", integers("kernel_shape", 2, 2)));
    assertThat(graph.outputs().get(1).type().shape().getFirst().isConstant()).isFalse();
    assertThat(graph.isBatchable()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"1", "N"})
  void whatWasPooledIsPutBackInItsPlace(String batch) {
    AttributeProto[] window = {integers("kernel_shape", 3, 2), integers("strides", 3, 2)};
    var model =
        TestModel.opset(12)
            .floats("x", batch, "3", "9", "8")
            .node("MaxPool", "x", "y places", window)
            .node("MaxUnpool", "y places", "image", window)
            .output("image");
    int rows = batch.equals("1") ? 1 : 2;
    Tensor x = random(rows, 3, 9, 8);
    List<Tensor> pooled = run(pool("" + rows, window), x);
    float[] expected = new float[rows * 216];
    for (int k = 0; k < pooled.get(1).longs().length; k++) {
      expected[(int) pooled.get(1).longs()[k]] = pooled.getFirst().floats()[k];
    }
    Tensor image = run(model, x).getFirst();
    assertThat(image.shape()).containsExactly(rows, 3, 9, 8);
    assertThat(image.floats()).containsExactly(expected);
  }

  @Test
  void anImageMayBeTheStartOfALargerOne() {
    var model =
        TestModel.opset(12)
            .floats("x", "1", "1", "2", "2")
            .input("places", DataType.INT64, "1", "1", "2", "2")
            .constant("shape", 1, 1, 5, 5)
            .node(
                "MaxUnpool",
                "x places shape",
                "image",
                integers("kernel_shape", 2, 2),
                integers("strides", 2, 2))
            .output("image");
    Tensor image =
        run(
                model,
                Tensor.of(new float[] {1, 2, 3, 4}, 1, 1, 2, 2),
                Tensor.of(new long[] {5, 7, 13, 15}, 1, 1, 2, 2))
            .getFirst();
    float[] expected = new float[25];
    expected[6] = 1;
    expected[8] = 2;
    expected[16] = 3;
    expected[18] = 4;
    assertThat(image.floats()).containsExactly(expected);
  }

  @Test
  void indicesHaveTheShapeOfTheirValues() {
    var model =
        TestModel.opset(12)
            .floats("x", "1", "1", "2", "2")
            .input("places", DataType.INT64, "1", "1", "2", "3")
            .node("MaxUnpool", "x places", "image", integers("kernel_shape", 2, 2))
            .output("image");
    assertThatThrownBy(() -> imported(model)).hasMessageContaining("has indices i64[1,1,2,3]");
  }
}
