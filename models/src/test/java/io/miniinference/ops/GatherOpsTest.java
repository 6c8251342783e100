package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Graph;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Operators that move what indices name, as far as the standard's own cases do not go.
class GatherOpsTest {
  private static TestModel model(
      String op, String data, String indices, AttributeProto... attributes) {
    return TestModel.opset(17)
        .floats("x", dims(data))
        .input("i", DataType.INT64, dims(indices))
        .node(op, "x i", "y", attributes)
        .output("y");
  }

  private static String[] dims(String text) {
    return text.isEmpty() ? new String[0] : text.split(",");
  }

  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  @Test
  void rowsThatPickTheirOwnElementsAreBatchable() {
    assertThat(imported(model("GatherElements", "N,5", "N,3", attribute("axis", 1))).isBatchable())
        .isTrue();
    assertThat(
            imported(model("GatherND", "N,4,5", "N,3,2", attribute("batch_dims", 1))).isBatchable())
        .isTrue();
    assertThat(imported(model("GatherND", "N,4,5", "N,3,2")).isBatchable()).isFalse();
  }

  @Test
  void updatesOfTheOwnRowAreBatchable() {
    TestModel elements =
        TestModel.opset(18)
            .floats("x", "N", "5")
            .input("i", DataType.INT64, "N", "3")
            .floats("u", "N", "3")
            .node("ScatterElements", "x i u", "y", attribute("axis", -1))
            .output("y");
    assertThat(imported(elements).isBatchable()).isTrue();
    TestModel cache =
        TestModel.opset(24)
            .floats("x", "N", "2", "5", "4")
            .floats("u", "N", "2", "1", "4")
            .input("i", DataType.INT64, "N")
            .node("TensorScatter", "x u i", "y")
            .output("y");
    assertThat(imported(cache).isBatchable()).isTrue();
  }

  @Test
  void reductionsCameWithLaterVersions() {
    assertThatThrownBy(() -> imported(scatter(15, "add")))
        .hasMessageContaining("attribute 'reduction'");
    assertThat(imported(scatter(16, "add")).outputs()).hasSize(1);
    assertThat(imported(scatter(16, "max")).outputs()).hasSize(1);
    assertThatThrownBy(() -> imported(scatter(18, "mean")))
        .hasMessageContaining("attribute 'reduction' = 'mean', which is not supported")
        .hasMessageContaining("[none, add, mul, max, min]");
  }

  private static TestModel scatter(long opset, String reduction) {
    return TestModel.opset(opset)
        .floats("x", "N", "5")
        .input("i", DataType.INT64, "7", "1")
        .floats("u", "7", "5")
        .node("ScatterND", "x i u", "y", attribute("reduction", reduction))
        .output("y");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "N,5; N,3; 9223372036854775807; batch_dims = 9223372036854775807",
        "N,5; N,3; -1; batch_dims = -1",
        "N,5; N,3; 2; must be in [0, min(2, 2))",
        "4,5; 7,1000000007; 0; tuples of 1000000007 indices for 2 axes",
        "4,5; 7,0; 0; tuples of 0 indices",
        "4,5; 7,2; 1; the first 1 axes differ",
        "4,5; ''; 0; must be in [0, min(2, 0))",
      })
  void tuplesThatDoNotFitAreAProblemOfTheNode(
      String data, String indices, long batchDims, String problem) {
    TestModel model =
        model("GatherND", data, indices.replace("'", ""), attribute("batch_dims", batchDims));
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("(GatherND)")
        .hasMessageContaining(problem);
  }

  @Test
  void whatFitsAtSomeBatchSizesOnlyAsksForAFixedBatch() {
    TestModel model = model("GatherElements", "N,5", "3,5", attribute("axis", 1));
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("axis 0 has 3 indices and N elements")
        .hasMessageContaining("fix the batch");
  }
}
