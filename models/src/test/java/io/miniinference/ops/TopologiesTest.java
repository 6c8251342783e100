package io.miniinference.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.ops.node.ImportOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("data")
class TopologiesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "convnext_tiny",
        "efficientnet_b0",
        "inception_v3",
        "mnasnet1_0",
        "mobilenet_v2",
        "mobilenet_v2_dynamo",
        "resnet18",
        "resnet50",
        "shufflenet_v2",
        "squeezenet1_1"
      })
  void aTopologyOfPyTorchKeepsItsBatchSymbolAndIsComputedRowByRow(String name) throws IOException {
    Path data = Path.of(System.getProperty("mie.data"));
    try (var zip = new ZipFile(data.resolve("topology.zip").toFile());
        var in = zip.getInputStream(zip.getEntry(name + "/model.onnx"))) {
      ByteBuffer bytes = ByteBuffer.wrap(in.readAllBytes());
      Graph graph =
          Importer.importModel(
              OnnxReader.read(name, bytes, null, ReadLimits.defaults()), ImportOptions.defaults());
      assertThat(graph.hasBatch()).isTrue();
      assertThat(graph.outputs()).allSatisfy(v -> assertThat(v.type().isStatic()).isFalse());
      assertThat(graph.isBatchable()).isTrue();
    }
  }
}
