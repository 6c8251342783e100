package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.reals;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.ops.node.ImportOptions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which elements a Resize takes that takes the nearest, at scales that no float has.
class ResizeTest {
  /* The numbers are ONNX Runtime's. */
  @ParameterizedTest
  @CsvSource({
    "asymmetric, floor, 10, 0.4, 0 2 5 7",
    "asymmetric, floor, 15, 0.2, 0 5 10",
    "asymmetric, ceil, 15, 0.2, 0 5 10",
    "asymmetric, floor, 20, 0.35, 0 2 5 8 11 14 17",
    "half_pixel, round_prefer_ceil, 19, 0.3, 1 5 8 11 15",
    "half_pixel, round_prefer_floor, 13, 0.6, 0 2 4 5 7 9 10",
    "half_pixel, round_prefer_floor, 16, 1.3, 0 1 1 2 3 4 4 5 6 7 8 8 9 10 11 11 12 13 14 14"
  })
  void aScaleIsWhatItsFloatIsNextTo(
      String coordinates, String nearest, int extent, float scale, String expected) {
    TestModel model =
        TestModel.opset(13)
            .floats("x", Integer.toString(extent))
            .node("Constant", "", "scales", reals("value_floats", List.of(scale)))
            .node(
                "Resize",
                "x - scales",
                "y",
                places(coordinates),
                attribute("nearest_mode", nearest))
            .output("y");
    assertThat(taken(model, extent)).containsExactly(numbers(expected));
  }

  @ParameterizedTest
  @CsvSource({"14, 4, 0 3 7 10", "15, 3, 0 5 10", "6, 4, 0 1 3 4"})
  void aSizeIsExact(int extent, long size, String expected) {
    TestModel model =
        TestModel.opset(13)
            .floats("x", Integer.toString(extent))
            .constant("sizes", size)
            .node(
                "Resize",
                "x - - sizes",
                "y",
                places("asymmetric"),
                attribute("nearest_mode", "floor"))
            .output("y");
    assertThat(taken(model, extent)).containsExactly(numbers(expected));
  }

  private static AttributeProto places(String coordinates) {
    return attribute("coordinate_transformation_mode", coordinates);
  }

  private static float[] taken(TestModel model, int extent) {
    float[] places = new float[extent];
    IntStream.range(0, extent).forEach(i -> places[i] = i);
    var graph = Importer.importModel(model.read(), ImportOptions.defaults());
    return Interpreter.run(graph, List.of(Tensor.of(places, extent))).getFirst().floats();
  }

  private static float[] numbers(String text) {
    double[] values = Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
    float[] numbers = new float[values.length];
    IntStream.range(0, values.length).forEach(i -> numbers[i] = (float) values[i]);
    return numbers;
  }
}
