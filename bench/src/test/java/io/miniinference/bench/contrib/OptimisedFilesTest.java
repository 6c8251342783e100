package io.miniinference.bench.contrib;

import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.I8;
import static io.miniinference.ir.ElementType.U8;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.TensorProto;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files that ONNX Runtime's optimiser wrote: they are loaded, and answer as the file before.
final class OptimisedFilesTest {
  @TempDir Path folder;

  @Test
  void productsTakeInWhatFollowsThem() throws IOException {
    PeerModel model =
        PeerModel.opset(17)
            .input("x", F32, 2, 3, 8, 8)
            .constant("w", F32, 4, 3, 3, 3)
            .constant("v", F32, 4, 4, 3, 3)
            .constant("b", F32, 4)
            .constant("m", F32, 6, 64)
            .constant("n", F32, 6)
            .input("t", F32, 5, 6)
            .standard("Conv", "x w b", "c1")
            .standard("Relu", "c1", "r1")
            .standard("Conv", "r1 v b", "c2")
            .standard("LeakyRelu", "c2", "r2", "alpha", 0.2f)
            .standard("Flatten", "r2", "f")
            .standard("Gemm", "f m n", "e", "transB", 1)
            .standard("Relu", "e", "y")
            .standard("Transpose", "t", "u", "perm", new long[] {1, 0})
            .standard("MatMul", "y u", "z")
            .outputs("z");
    hold(model, Set.of("FusedConv", "FusedGemm", "FusedMatMul"), 0);
  }

  @Test
  void geluAndNormsTakeInTheirSums() throws IOException {
    PeerModel model =
        PeerModel.opset(17)
            .input("x", F32, 2, 5, 16)
            .constant("w", F32, 16, 16)
            .constant("b", F32, 16)
            .constant("g", F32, 16)
            .constant("h", F32, 16)
            .constant("root", Tensor.of(new float[] {(float) Math.sqrt(2)}))
            .constant("one", Tensor.of(new float[] {1}))
            .constant("half", Tensor.of(new float[] {0.5f}))
            .standard("MatMul", "x w", "m")
            .standard("Add", "m b", "a")
            .standard("Div", "a root", "d")
            .standard("Erf", "d", "e")
            .standard("Add", "e one", "f")
            .standard("Mul", "a f", "p")
            .standard("Mul", "p half", "q")
            .standard("Add", "q x", "s")
            .standard("LayerNormalization", "s g h", "y")
            .outputs("y");
    hold(model, Set.of("Gelu", "SkipLayerNormalization"), 0);
  }

  /// One step is what rounding before or after a sum of products can make.
  @Test
  void quantisedNetworksOfTheStandardBecomeIntegerOnes() throws IOException {
    PeerModel model =
        PeerModel.opset(17)
            .input("x", U8, 1, 3, 8, 8)
            .constant("w", I8, 4, 3, 3, 3)
            .scale("sw", 0.011)
            .zeroPoint("zw", I8, 0)
            .scale("s", 0.021)
            .zeroPoint("z", U8, 119)
            .scale("t", 0.043)
            .zeroPoint("o", U8, 101);
    model
        .standard("DequantizeLinear", "x s z", "a")
        .standard("DequantizeLinear", "w sw zw", "v")
        .standard("Conv", "a v", "b")
        .standard("QuantizeLinear", "b t o", "c");
    step(model, "Sigmoid", "c", "d");
    step(model, "LeakyRelu", "c", "e");
    model
        .standard("DequantizeLinear", "d t o", "d1")
        .standard("DequantizeLinear", "e t o", "e1")
        .standard("Add", "d1 e1", "f1")
        .standard("QuantizeLinear", "f1 t o", "f");
    model
        .standard("DequantizeLinear", "f t o", "f2")
        .standard("DequantizeLinear", "c t o", "c2")
        .standard("Mul", "f2 c2", "g1")
        .standard("QuantizeLinear", "g1 t o", "g");
    step(model, "GlobalAveragePool", "g", "y");
    hold(
        model.outputs("y g"),
        Set.of(
            "QLinearAdd",
            "QLinearMul",
            "QLinearSigmoid",
            "QLinearLeakyRelu",
            "QLinearGlobalAveragePool"),
        1);
  }

  /// An operator between floats of quantised tensors.
  private static void step(PeerModel model, String op, String from, String to) {
    model
        .standard("DequantizeLinear", from + " t o", to + "_x")
        .standard(op, to + "_x", to + "_y")
        .standard("QuantizeLinear", to + "_y t o", to);
  }

  private void hold(PeerModel model, Set<String> operators, int steps) throws IOException {
    List<Tensor> expected = Peers.onnxRuntime(model.bytes(), model.request());
    byte[] written = optimised(model.bytes());
    assertThat(operators(written)).containsAll(operators);
    Peers.hold(Interpreter.run(Peers.imported(written), model.values()), expected, steps);
  }

  @ParameterizedTest
  @Tag("data")
  @CsvSource({
    "bert_tiny, BiasGelu FusedGemm FusedMatMul",
    "gpt2_tiny_dynamo, FastGelu FusedMatMul"
  })
  void networksOfPyTorchAreServedAsTheOptimiserWritesThem(String name, String fused)
      throws IOException {
    Map<String, Tensor> request = new LinkedHashMap<>();
    byte[] model;
    try (var zip = new ZipFile(Path.of(System.getProperty("mie.data"), "topology.zip").toFile())) {
      model = bytes(zip, name + "/model.onnx");
      GraphProto graph = ModelProto.parseFrom(model).getGraph();
      for (int i = 0; i < graph.getInputCount(); i++) {
        byte[] value = bytes(zip, "%s/test_data_set_0/input_%d.pb".formatted(name, i));
        request.put(graph.getInput(i).getName(), tensor(TensorProto.parseFrom(value)));
      }
    }
    byte[] written = optimised(model);
    assertThat(operators(written)).contains(fused.split(" "));
    List<Tensor> expected = Peers.onnxRuntime(model, request);
    Peers.hold(Peers.answers(written, request), expected, 0);
  }

  private static byte[] bytes(ZipFile zip, String entry) throws IOException {
    try (InputStream in = zip.getInputStream(zip.getEntry(entry))) {
      return in.readAllBytes();
    }
  }

  private static Tensor tensor(TensorProto proto) {
    long[] shape = proto.getDimsList().stream().mapToLong(Long::longValue).toArray();
    ByteBuffer bytes = proto.getRawData().asReadOnlyByteBuffer();
    return Tensor.of(Peers.type(proto), bytes, shape);
  }

  private byte[] optimised(byte[] model) throws IOException {
    Path file = folder.resolve("optimised.onnx");
    try (var options = new SessionOptions()) {
      options.setOptimizationLevel(OptLevel.EXTENDED_OPT);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      options.setOptimizedModelFilePath(file.toString());
      OrtEnvironment.getEnvironment().createSession(model, options).close();
    } catch (OrtException e) {
      throw new AssertionError("ONNX Runtime does not optimise the model: " + e.getMessage(), e);
    }
    return Files.readAllBytes(file);
  }

  private static Set<String> operators(byte[] model) throws IOException {
    Set<String> names = new TreeSet<>();
    for (NodeProto node : ModelProto.parseFrom(model).getGraph().getNodeList()) {
      names.add(node.getOpType());
    }
    return names;
  }
}
