package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import io.miniinference.pass.DeadCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// TopK as each version of the standard writes it.
class TopKOpsTest {
  private static TestModel model(long opset, DataType type, long k, AttributeProto... attributes) {
    return TestModel.opset(opset)
        .input("x", type, "N", "5", "4")
        .constant("k", k)
        .node("TopK", "x k", "values indices", attributes)
        .output("values")
        .output("indices");
  }

  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static Op.TopK only(Graph graph) {
    assertThat(graph.nodes()).hasSize(1);
    return (Op.TopK) graph.nodes().getFirst().op();
  }

  @Test
  void theNumberWasAnAttributeOnce() {
    TestModel model =
        TestModel.opset(9)
            .floats("x", "N", "5", "4")
            .node("TopK", "x", "values indices", attribute("k", 3))
            .output("values")
            .output("indices");
    assertThat(only(imported(model))).isEqualTo(new Op.TopK(2, 3, true));
  }

  @Test
  void laterVersionsTakeMoreTypesAndTheSmallest() {
    assertThat(only(imported(model(10, DataType.FLOAT, 2, attribute("axis", -2)))))
        .isEqualTo(new Op.TopK(1, 2, true));
    assertThat(only(imported(model(11, DataType.UINT8, 2, attribute("largest", 0)))))
        .isEqualTo(new Op.TopK(2, 2, false));
    assertThat(only(imported(model(24, DataType.BFLOAT16, 4, attribute("sorted", 0)))))
        .isEqualTo(new Op.TopK(2, 4, true));
  }

  @Test
  void rowsAlongOtherAxesThanTheBatchAreBatchable() {
    assertThat(imported(model(11, DataType.FLOAT, 2)).isBatchable()).isTrue();
    assertThat(imported(model(11, DataType.FLOAT, 0)).isBatchable()).isTrue();
  }

  @Test
  void aRowHasNoMoreThanItsElements() {
    assertThatThrownBy(() -> imported(model(11, DataType.FLOAT, 5)))
        .hasMessageContaining("k is 5, and axis 2 has 4 elements");
    assertThatThrownBy(() -> imported(model(11, DataType.FLOAT, -1)))
        .hasMessageContaining("k is -1, and axis 2 has 4 elements");
    assertThatThrownBy(() -> imported(model(11, DataType.FLOAT, 1, attribute("axis", 3))))
        .hasMessageContaining("axis 3 is outside [-3, 2]");
  }

  @Test
  void theBatchIsNoRow() {
    assertThatThrownBy(() -> imported(model(11, DataType.FLOAT, 1, attribute("axis", 0))))
        .isInstanceOf(NeedsSpecialisation.class);
  }

  @Test
  void whatNothingReadsIsNotComputed() {
    TestModel model =
        TestModel.opset(11)
            .floats("x", "N", "5")
            .constant("k", 2)
            .node("TopK", "x k", "values indices")
            .output("indices");
    Graph graph = new DeadCode().apply(imported(model));
    assertThat(only(graph).parts()).isEqualTo(List.of(Op.TopK.Part.INDICES));
    assertThat(graph.nodes().getFirst().outputs()).isEqualTo(graph.outputs());
  }
}
