package io.miniinference.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.tensor.TensorReader;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("data")
class BundledModelsTest {
  /// The oracle is slow; these models compute row by row, so a few rows show as much as all.
  private static final long ROWS = 3;

  @ParameterizedTest
  @ValueSource(strings = {"mnist-cnn", "mnist-mlp", "mnist-deep", "mnist-denoise", "number-words"})
  void importsWithASymbolicBatchAndComputesTheGivenOutputs(String name) {
    Path folder = Path.of(System.getProperty("mie.data"), "models", name);
    Graph graph =
        Importer.importModel(
            OnnxReader.read(folder.resolve("model.onnx"), ReadLimits.defaults()),
            ImportOptions.defaults());
    assertThat(graph.isBatchable()).isTrue();

    List<Tensor> outputs = Interpreter.run(graph, List.of(rows(folder, "input_0.pb")));

    Tensor expected = rows(folder, "output_0.pb");
    double largest = Arrays.stream(SmallTensors.reals(expected)).map(Math::abs).max().orElse(0);
    assertThat(new Tolerance(1e-3, 1e-5 * largest).difference(outputs.getFirst(), expected))
        .isEmpty();
  }

  private static Tensor rows(Path folder, String file) {
    Path path = folder.resolve("test_data_set_0").resolve(file);
    Tensor all = NodeCases.tensor(TensorReader.readFile(path, 1 << 28));
    long[] shape = all.shape().clone();
    long bytes = all.data().byteSize() / shape[0] * ROWS;
    shape[0] = ROWS;
    return new Tensor(all.element(), shape, all.data().asSlice(0, bytes));
  }
}
