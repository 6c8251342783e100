package io.miniinference.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.compile.ModelListing;
import io.miniinference.testing.TestModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// No network that we know spends its time in plain loops of the CPU's kernels.
class PlainLoopsTest {
  private static final long POOL_BYTES = 2L << 30;

  /// Operators that are still computed so, by network: a line goes when its kernel comes.
  private static final Map<String, Set<String>> LEFT =
      Map.of("deeplabv3_mobilenet", Set.of("Resize"));

  private static Set<String> findings(OnnxModel model) {
    return costs(model).stream()
        .filter(StepCost::isFinding)
        .map(StepCost::op)
        .collect(Collectors.toSet());
  }

  @Tag("data")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bert_tiny",
        "convnext_tiny",
        "deeplabv3_mobilenet",
        "efficientnet_b0",
        "gpt2_tiny_dynamo",
        "inception_v3",
        "mnasnet1_0",
        "mobilenet_v2",
        "mobilenet_v2_dynamo",
        "resnet18",
        "resnet50",
        "shufflenet_v2",
        "squeezenet1_1",
        "swin_t"
      })
  void aTopologyOfPyTorchHasNoPlainLoopOverManyOperationsButTheseKnownOnes(String name)
      throws IOException {
    Path data = Path.of(System.getProperty("mie.data"));
    try (var zip = new ZipFile(data.resolve("topology.zip").toFile());
        var in = zip.getInputStream(zip.getEntry(name + "/model.onnx"))) {
      ByteBuffer bytes = ByteBuffer.wrap(in.readAllBytes());
      assertThat(findings(OnnxReader.read(name, bytes, null, ReadLimits.defaults())))
          .isEqualTo(LEFT.getOrDefault(name, Set.of()));
    }
  }

  @Test
  void noBundledModelHasAPlainLoopOverManyOperations(@TempDir Path folder) {
    List<ModelFile> models = BundledModels.unpack(folder).models();
    assertThat(models).isNotEmpty();
    for (ModelFile file : models) {
      assertThat(findings(file.read())).as(file.name()).isEmpty();
    }
  }

  /// Between convolutions the channels of a Resize stay lanes; a function behind it, which is dear
  /// one element at a time, keeps its vectors.
  @Test
  void aResizeBetweenConvolutionsIsNoPlainLoop() {
    OnnxModel model =
        TestModel.opset(20)
            .floats("x", "N,64,14,14")
            .reals("w", i -> i % 7 - 3, 64, 64, 1, 1)
            .reals("scales", i -> i < 2 ? 1 : 2, 4)
            .node("Conv", "x w", "a")
            .node("Resize", "a  scales", "b", "mode=linear")
            .node("Gelu", "b", "c")
            .node("Conv", "c w", "y")
            .output("y")
            .read();
    List<StepCost> costs = costs(model);
    assertThat(costs).extracting(StepCost::op).contains("Resize", "Gelu");
    assertThat(costs)
        .filteredOn(cost -> List.of("Resize", "Gelu").contains(cost.op()))
        .noneMatch(cost -> cost.algorithm().isPlain());
  }

  /// Axis 1 of an image without a batch is no axis of channels, whatever reads it behind a reshape.
  @Test
  void norIsAConvolutionOfAnImageWithoutABatch() {
    OnnxModel model =
        TestModel.opset(17)
            .floats("image", "3,64,64")
            .reals("mean", _ -> 0.5, 3, 1, 1)
            .reals("w", i -> i % 7 - 3, 16, 3, 3, 3)
            .constant("zero", 0)
            .node("Sub", "image mean", "a")
            .node("Unsqueeze", "a zero", "b")
            .node("Conv", "b w", "y", "strides=2,2", "pads=1,1,1,1")
            .output("y")
            .read();
    assertThat(costs(model))
        .filteredOn(cost -> cost.op().equals("Conv"))
        .hasSize(1)
        .noneMatch(cost -> cost.algorithm().isPlain());
  }

  /// A picture has three channels, a mask one.
  @Test
  void norIsAConvolutionToFewChannels() {
    OnnxModel model =
        TestModel.opset(17)
            .floats("x", "N,16,32,32")
            .reals("p", i -> i % 7 - 3, 3, 16, 3, 3)
            .reals("m", i -> i % 5 - 2, 1, 16, 1, 1)
            .reals("t", i -> i % 3 - 1, 16, 1, 2, 2)
            .reals("w", i -> i % 3 - 1, 16, 16, 1, 1)
            .node("Conv", "x w", "h")
            .node("Conv", "x p", "picture", "pads=1,1,1,1")
            .output("picture")
            .node("Conv", "h m", "mask")
            .output("mask")
            .node("ConvTranspose", "x t", "larger", "strides=2,2")
            .output("larger")
            .read();
    assertThat(costs(model))
        .filteredOn(cost -> cost.op().startsWith("Conv"))
        .extracting(StepCost::op)
        .contains("Conv", "ConvTranspose");
    assertThat(costs(model))
        .filteredOn(cost -> cost.algorithm().name().contains("to few channels"))
        .hasSize(3);
  }

  /// A map of scores has one channel, a sound one axis.
  @Test
  void norIsAPoolOfScoresOrOfASound() {
    OnnxModel model =
        TestModel.opset(17)
            .floats("scores", "N,1,32,32")
            .floats("sound", "N,4,64")
            .reals("w", i -> i % 7 - 3, 20, 4, 3)
            .node("MaxPool", "scores", "best", "kernel_shape=9,9", "pads=4,4,4,4")
            .output("best")
            .node("Conv", "sound w", "heard")
            .node("AveragePool", "heard", "shorter", "kernel_shape=4,", "strides=4,")
            .output("shorter")
            .read();
    assertThat(costs(model))
        .filteredOn(cost -> cost.op().endsWith("Pool"))
        .hasSize(2)
        .noneMatch(cost -> cost.algorithm().isPlain());
  }

  /// Regions are cut out of all channels alike.
  @Test
  void norAreRegionsOfAConvolution() {
    OnnxModel model =
        TestModel.opset(17)
            .floats("x", "1,32,20,20")
            .floats("regions", "30,4")
            .reals("w", i -> i % 7 - 3, 32, 32, 1, 1)
            .input("images", DataType.INT64, "30")
            .node("Conv", "x w", "a")
            .node("Conv", "a w", "proposals")
            .output("proposals")
            .node(
                "RoiAlign",
                "a regions images",
                "parts",
                "output_height=7",
                "output_width=7",
                "sampling_ratio=2")
            .reals("v", i -> i % 5 - 2, 32 * 7 * 7, 8)
            .node("Flatten", "parts", "rows")
            .node("MatMul", "rows v", "y")
            .output("y")
            .read();
    assertThat(findings(model)).isEmpty();
    assertThat(costs(model)).extracting(StepCost::op).contains("RoiAlign");
  }

  private static List<StepCost> costs(OnnxModel model) {
    return ModelListing.of(model, LoadOptions.defaults(), ModelListing.Writer.CPU, POOL_BYTES)
        .costs(1);
  }
}
