package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Operators that read an image at places which the request brings, or put one together: by what
/// they have in common with simpler ones, and with hostile places.
class MovedImagesTest {
  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static Tensor run(TestModel model, Tensor... inputs) {
    return Interpreter.run(imported(model), List.of(inputs)).getFirst();
  }

  private static Tensor random(long... shape) {
    float[] values = new float[(int) Tensor.elements(shape)];
    var random = new Random(values.length);
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return Tensor.of(values, shape);
  }

  private static Tensor filled(double value, long... shape) {
    float[] values = new float[(int) Tensor.elements(shape)];
    Arrays.fill(values, (float) value);
    return Tensor.of(values, shape);
  }

  private static void assertSame(Tensor is, Tensor expected) {
    assertThat(is.shape()).containsExactly(expected.shape());
    assertThat(is.floats()).containsExactly(expected.floats(), within(1e-5f));
  }

  // DeformConv.

  private static TestModel convolution(int groups) {
    return TestModel.opset(22)
        .floats("x", "2", "4", "9", "11")
        .floats("w", "6", "" + 4 / groups, "3", "2")
        .output("y");
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 1, 1, 1", "2, 1, 1, 2, 1", "1, 2, 2, 1, 4", "3, 1, 2, 2, 2"})
  void tapsThatNothingMovesAreThoseOfAConvolution(
      int stride, int pad, int dilation, int groups, int offsetGroups) {
    AttributeProto[] window = {
      integers("strides", stride, stride),
      integers("pads", pad, pad, pad, pad),
      integers("dilations", dilation, dilation),
      attribute("group", groups),
      attribute("offset_group", offsetGroups)
    };
    Tensor x = random(2, 4, 9, 11);
    Tensor w = random(6, 4 / groups, 3, 2);
    AttributeProto[] plain = Arrays.copyOf(window, 4);
    Tensor expected = run(convolution(groups).node("Conv", "x w", "y", plain), x, w);
    long[] offsets = expected.shape().clone();
    offsets[1] = 2 * offsetGroups * 6L;

    TestModel model =
        convolution(groups)
            .floats(
                "offsets", Arrays.stream(offsets).mapToObj(Long::toString).toArray(String[]::new))
            .node("DeformConv", "x w offsets", "y", window);

    assertSame(run(model, x, w, filled(0, offsets)), expected);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -3e38, 1e9, 100})
  void noOffsetReadsOutsideTheImage(double offset) {
    Tensor y = deformed(filled(offset, 1, 2, 3, 3));

    assertThat(y.shape()).containsExactly(1, 1, 3, 3);
    if (Double.isFinite(offset)) {
      assertThat(y.floats()).containsOnly(0);
    }
  }

  @Test
  void anOffsetMovesATap() {
    Tensor y = deformed(filled(0.5, 1, 2, 3, 3));

    assertThat(y.floats()).containsExactly(3, 4, 2.25f, 6, 7, 3.75f, 3.75f, 4.25f, 2.25f);
  }

  /* Of the image 1 to 9 by a window of one tap. */
  private static Tensor deformed(Tensor offsets) {
    TestModel model =
        TestModel.opset(19)
            .floats("x", "1", "1", "3", "3")
            .floats("w", "1", "1", "1", "1")
            .floats("offsets", "1", "2", "3", "3")
            .node("DeformConv", "x w offsets", "y")
            .output("y");
    Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, 1, 1, 3, 3);
    return run(model, x, filled(1, 1, 1, 1, 1), offsets);
  }

  @Test
  void offsetsOfAnotherShapeAreRefused() {
    TestModel model =
        convolution(1)
            .floats("offsets", "2", "12", "7", "9")
            .node("DeformConv", "x w offsets", "y");
    assertThatThrownBy(() -> imported(model)).hasMessageContaining("f32[2,12,7,9]");
  }

  // Col2Im.

  private static TestModel blocks(String input, long size, long block, AttributeProto... window) {
    return TestModel.opset(18)
        .floats("x", "N", input.split(" ")[0], input.split(" ")[1])
        .constant("image", size, size)
        .constant("block", block, block)
        .node("Col2Im", "x image block", "y", window)
        .output("y");
  }

  /* With ones in all blocks an element is the number of the blocks that reach it. */
  @ParameterizedTest
  @CsvSource({"4, 2, 2, 1, 0, 4", "5, 3, 1, 1, 1, 25", "7, 3, 2, 2, 1, 9", "6, 2, 3, 1, 0, 4"})
  void overlappingBlocksAreAddedUp(
      int size, int block, int stride, int dilation, int pad, int blocks) {
    TestModel model =
        blocks(
            3 * block * block + " " + blocks,
            size,
            block,
            integers("strides", stride, stride),
            integers("dilations", dilation, dilation),
            integers("pads", pad, pad, pad, pad));
    assertThat(imported(model).isBatchable()).isTrue();

    Tensor y = run(model, filled(1, 2, 3L * block * block, blocks));

    assertThat(y.shape()).containsExactly(2, 3, size, size);
    int perAxis = (int) Math.sqrt(blocks);
    for (int i = 0; i < y.floats().length; i++) {
      int row = i / size % size;
      int column = i % size;
      int reached =
          reached(row, block, stride, dilation, pad, perAxis)
              * reached(column, block, stride, dilation, pad, perAxis);
      assertThat(y.floats()[i]).as("row %d, column %d", row, column).isEqualTo(reached);
    }
  }

  private static int reached(int at, int block, int stride, int dilation, int pad, int blocks) {
    int count = 0;
    for (int i = 0; i < blocks; i++) {
      for (int tap = 0; tap < block; tap++) {
        count += i * stride + tap * dilation - pad == at ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void blocksThatMakeNoImageAreRefused() {
    TestModel wrongCount = blocks("4 5", 4, 2, integers("strides", 2, 2));
    assertThatThrownBy(() -> imported(wrongCount)).hasMessageContaining("takes [N, C·4, 4]");
    TestModel tooLarge = blocks("25 4", 4, 5);
    assertThatThrownBy(() -> imported(tooLarge)).hasMessageContaining("do not fit an image [4, 4]");
    TestModel noStride = blocks("4 4", 4, 2, integers("strides", 0, 2));
    assertThatThrownBy(() -> imported(noStride)).hasMessageContaining("'strides' = [0, 2]");
  }

  // AffineGrid.

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "0, 5", "1, 5"})
  void aGridThatMovesNothingReadsTheImageAsItIs(int corners, int height) {
    TestModel model =
        TestModel.opset(20)
            .floats("x", "2", "3", "" + height, "4")
            .floats("theta", "2", "2", "3")
            .constant("size", 2, 3, height, 4)
            .node("AffineGrid", "theta size", "grid", attribute("align_corners", corners))
            .node("GridSample", "x grid", "y", attribute("align_corners", corners))
            .output("y");
    Tensor x = random(2, 3, height, 4);
    Tensor same = Tensor.of(new float[] {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0}, 2, 2, 3);

    assertSame(run(model, x, same), x);
  }

  @Test
  void aGridOfOtherMatricesIsRefused() {
    TestModel model =
        TestModel.opset(20)
            .floats("theta", "2", "2", "3")
            .constant("size", 3, 3, 4, 4)
            .node("AffineGrid", "theta size", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model)).hasMessageContaining("takes matrices [3, 2, 3]");
  }

  // RoiAlign.

  private static TestModel regions(AttributeProto... attributes) {
    return TestModel.opset(16)
        .floats("x", "2", "1", "4", "4")
        .floats("regions", "R", "4")
        .input("images", DataType.INT64, "R")
        .node("RoiAlign", "x regions images", "y", attributes)
        .output("y");
  }

  private static Tensor aligned(float... region) {
    float[] values = new float[32];
    for (int i = 0; i < 32; i++) {
      values[i] = i;
    }
    TestModel model =
        regions(
            attribute("sampling_ratio", 2),
            attribute("output_height", 2),
            attribute("output_width", 2));
    Tensor x = Tensor.of(values, 2, 1, 4, 4);
    return run(model, x, Tensor.of(region, 1, 4), Tensor.of(new long[] {1}, 1));
  }

  @Test
  void binsAreMeansOfSamplesBetweenElements() {
    /* From the centre of the first element to that of the last: bins of one and a half. */
    Tensor y = aligned(0.5f, 0.5f, 3.5f, 3.5f);
    float[] expected = new float[4];
    for (int i = 0; i < 4; i++) {
      expected[i] = 16 + 4 * (0.75f + 1.5f * (i / 2)) + 0.75f + 1.5f * (i % 2);
    }
    assertThat(y.floats()).containsExactly(expected, within(1e-5f));
  }

  @Test
  void noRegionReadsOutsideTheImage() {
    assertThat(aligned(-90, -90, -80, -80).floats()).containsOnly(0);
    assertThat(aligned(1e30f, 1e30f, 3e38f, 3e38f).floats()).containsOnly(0);
    float infinite = Float.POSITIVE_INFINITY;
    assertThat(aligned(Float.NaN, -infinite, infinite, Float.NaN).floats()).hasSize(4);
  }

  @Test
  void aRegionOfAnImageThatIsNotThereFails() {
    TestModel model = regions(attribute("sampling_ratio", 1));
    Tensor regions = Tensor.of(new float[] {0, 0, 1, 1}, 1, 4);
    assertThatThrownBy(
            () -> run(model, filled(0, 2, 1, 4, 4), regions, Tensor.of(new long[] {2}, 1)))
        .hasMessageContaining("index 2 is outside");
  }
}
