package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.real;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RoiAlign where a region says how many samples a bin has ([`sampling_ratio`
/// 0](https://onnx.ai/onnx/operators/onnx__RoiAlign.html)): held to a loop over all samples, as
/// ONNX Runtime has it.
class AdaptiveRegionsTest {
  private static final int CHANNELS = 3;
  private static final int HEIGHT = 9;
  private static final int WIDTH = 13;
  private static final int DOWN = 3;
  private static final int ACROSS = 2;

  private final Random random = new Random(20_261_129);

  @ParameterizedTest
  @CsvSource({"1, true", "1, false", "2, true", "2, false"})
  void aBinIsTheMeanOfAllSamples(int images, boolean half) {
    Tensor x = random(images, CHANNELS, HEIGHT, WIDTH);
    Tensor regions = regions(200);
    long[] of = new long[200];
    for (int r = 0; r < of.length; r++) {
      of[r] = random.nextInt(images);
    }
    AttributeProto mode =
        attribute("coordinate_transformation_mode", half ? "half_pixel" : "output_half_pixel");
    Tensor y = run(images, x, regions, of, mode, real("spatial_scale", 0.5f));
    assertThat(y.shape()).containsExactly(200, CHANNELS, DOWN, ACROSS);
    assertThat(y.floats()).containsExactly(expected(x, regions, of, half), within(2e-5f));
  }

  @Test
  void whatIsNoRegionReadsNothingElse() {
    Tensor x = random(1, CHANNELS, HEIGHT, WIDTH);
    float infinite = Float.POSITIVE_INFINITY;
    Tensor regions =
        Tensor.of(
            new float[] {Float.NaN, -infinite, infinite, Float.NaN, 1e30f, 1e30f, 3e38f, 3e38f},
            2,
            4);
    assertThat(run(1, x, regions, new long[2]).floats()).hasSize(2 * CHANNELS * DOWN * ACROSS);
  }

  @ParameterizedTest
  @CsvSource({"1", "2"})
  void aRegionOfAnImageThatIsNotThereFails(int images) {
    Tensor x = random(images, CHANNELS, HEIGHT, WIDTH);
    assertThatThrownBy(() -> run(images, x, regions(1), new long[] {images}))
        .hasMessageContaining("index " + images + " is outside");
  }

  @Test
  void theMaximumOfSamplesThatFollowFromTheRegionIsRefused() {
    TestModel model = model(1, attribute("mode", "max"));
    assertThatThrownBy(() -> Importer.importModel(model.read(), ImportOptions.defaults()))
        .hasMessageContaining("'sampling_ratio' = 0, whose samples follow from the regions, of");
  }

  private static TestModel model(int images, AttributeProto... others) {
    List<AttributeProto> attributes = new ArrayList<>(List.of(others));
    attributes.add(attribute("output_height", DOWN));
    attributes.add(attribute("output_width", ACROSS));
    return TestModel.opset(16)
        .floats("x", "" + images, "" + CHANNELS, "" + HEIGHT, "" + WIDTH)
        .floats("regions", "R", "4")
        .input("images", DataType.INT64, "R")
        .node("RoiAlign", "x regions images", "y", attributes.toArray(AttributeProto[]::new))
        .output("y");
  }

  private static Tensor run(
      int images, Tensor x, Tensor regions, long[] of, AttributeProto... attributes) {
    var graph = Importer.importModel(model(images, attributes).read(), ImportOptions.defaults());
    return Interpreter.run(graph, List.of(x, regions, Tensor.of(of, of.length))).getFirst();
  }

  private Tensor random(long... shape) {
    float[] values = new float[(int) Tensor.elements(shape)];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return Tensor.of(values, shape);
  }

  /// In the image, across its edges and around it, less than an element and of negative size.
  private Tensor regions(int count) {
    float[] values = new float[4 * count];
    for (int r = 0; r < count; r++) {
      float size = r % 4 == 0 ? 1 : r % 4 == 1 ? 200 : 30;
      for (int axis = 0; axis < 2; axis++) {
        float from = random.nextFloat() * 40 - 10;
        values[4 * r + axis] = r % 8 == 7 ? Math.round(from) : from;
        float length = random.nextFloat() * size - (r % 16 == 2 ? size / 2 : 0);
        values[4 * r + 2 + axis] = values[4 * r + axis] + (r % 8 == 7 ? 12 : length);
      }
    }
    return Tensor.of(values, count, 4);
  }

  private static float[] expected(Tensor x, Tensor regions, long[] of, boolean half) {
    float[] all = new float[of.length * CHANNELS * DOWN * ACROSS];
    int at = 0;
    for (int r = 0; r < of.length; r++) {
      for (int channel = 0; channel < CHANNELS; channel++) {
        int image = ((int) of[r] * CHANNELS + channel) * HEIGHT * WIDTH;
        for (int i = 0; i < DOWN; i++) {
          for (int j = 0; j < ACROSS; j++) {
            all[at++] = bin(x.floats(), image, regions.floats(), 4 * r, i, j, half);
          }
        }
      }
    }
    return all;
  }

  private static float bin(float[] x, int image, float[] of, int r, int i, int j, boolean half) {
    double[] from = new double[2];
    double[] length = new double[2];
    int[] samples = new int[2];
    for (int axis = 0; axis < 2; axis++) { // across, down
      double shift = half ? 0.5 : 0;
      from[axis] = of[r + axis] * 0.5 - shift;
      double whole = of[r + 2 + axis] * 0.5 - shift - from[axis];
      length[axis] = (half ? whole : Math.max(whole, 1)) / (axis == 0 ? ACROSS : DOWN);
      samples[axis] = (int) Math.ceil(length[axis]);
    }
    double sum = 0;
    for (int down = 0; down < samples[1]; down++) {
      double y = from[1] + (i + (down + 0.5) / samples[1]) * length[1];
      for (int across = 0; across < samples[0]; across++) {
        sum += sample(x, image, y, from[0] + (j + (across + 0.5) / samples[0]) * length[0]);
      }
    }
    return (float) (sum / Math.max(1, Math.max(0, samples[0]) * Math.max(0, samples[1])));
  }

  private static double sample(float[] image, int start, double y, double x) {
    if (y < -1 || y > HEIGHT || x < -1 || x > WIDTH) {
      return 0;
    }
    double down = Math.clamp(y, 0, HEIGHT - 1);
    double across = Math.clamp(x, 0, WIDTH - 1);
    double sum = 0;
    for (int row = 0; row < HEIGHT; row++) {
      for (int column = 0; column < WIDTH; column++) {
        double share =
            Math.max(0, 1 - Math.abs(down - row)) * Math.max(0, 1 - Math.abs(across - column));
        sum += share * image[start + row * WIDTH + column];
      }
    }
    return sum;
  }
}
