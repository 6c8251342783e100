package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Graph;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Open first axes that are taken for a batch and are none: the model is sound, and needs its
/// sizes.
class FirstAxisTest {
  private static Graph imported(TestModel model, ImportOptions options) {
    return Importer.importModel(model.read(), options);
  }

  private static Graph importedFor(TestModel model, long... shape) {
    return imported(model, ImportOptions.defaults().withInputShapes(Map.of("x", shape)));
  }

  private static void needsSizes(TestModel model, String because) {
    assertThatThrownBy(() -> imported(model, ImportOptions.defaults()))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining(because);
  }

  private static TestModel recurrent(String inputs) {
    return TestModel.opset(14)
        .floats("x", "steps", "1", "9")
        .halves("w", 1, 3, 9)
        .halves("r", 1, 3, 3)
        .halves("b", 1, 6)
        .halves("h", 1, 1, 3)
        .node("RNN", inputs, "y last")
        .output("y");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x w r", "x w r b - h"})
  void stepsOfARecurrentNetwork(String inputs) {
    TestModel model = recurrent(inputs);

    needsSizes(model, "N steps have no fixed number; fix the batch");
    assertThat(importedFor(model, 7, 1, 9).outputs().getFirst().type()).hasToString("f32[7,1,1,3]");
  }

  @Test
  void aStateOfOneRowFitsABatchOfOne() {
    TestModel model =
        TestModel.opset(14)
            .floats("x", "N", "5", "9")
            .halves("w", 1, 3, 9)
            .halves("r", 1, 3, 3)
            .halves("h", 1, 1, 3)
            .node("Transpose", "x", "t", integers("perm", 1, 0, 2))
            .node("RNN", "t w r - - h", "y last")
            .output("last");

    needsSizes(model, "has an initial state f32[1,1,3], needs [1, N, 3]; fix the batch");
    assertThat(importedFor(model, 1, 5, 9).outputs().getFirst().type()).hasToString("f32[1,1,3]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Conv", "AveragePool"})
  void anAxisThatAWindowWalksOver(String op) {
    boolean pools = op.equals("AveragePool");
    TestModel model =
        TestModel.opset(13)
            .floats("x", "time", "4", "1")
            .halves("w", 2, 4, 3)
            .node("Transpose", "x", "t", integers("perm", 2, 1, 0))
            .node(op, pools ? "t" : "t w", "y", integers("kernel_shape", 3))
            .output("y");

    needsSizes(model, "spatial axis 0 depends on the batch; fix the batch");
    assertThat(importedFor(model, 8, 4, 1).outputs().getFirst().type().dim(2).asConstant())
        .isEqualTo(6);
  }

  @Test
  void aProductThatFitsOneRowAlone() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "N", "28", "28")
            .constant("shape", 1, -1)
            .halves("w", 784, 10)
            .node("Reshape", "x shape", "flat")
            .node("Gemm", "flat w", "y")
            .output("y");

    needsSizes(model, "inner dimensions 784N and 784 differ; fix the batch");
    assertThat(importedFor(model, 1, 28, 28).outputs().getFirst().type()).hasToString("f32[1,10]");
  }

  @Test
  void aMaskOfAsManyRowsAsColumns() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "tokens")
            .node("Shape", "x", "s")
            .node("Concat", "s s", "square", attribute("axis", 0))
            .node("ConstantOfShape", "square", "y")
            .output("y");

    needsSizes(model, "has N squared; fix the batch");
    assertThat(importedFor(model, 6).outputs().getFirst().type()).hasToString("f32[6,6]");
  }

  @Test
  void whatFitsAtNoSizeIsTheModelsFault() {
    TestModel product =
        TestModel.opset(13)
            .floats("x", "N", "7")
            .halves("w", 5, 10)
            .node("MatMul", "x w", "y")
            .output("y");
    TestModel state = recurrent("x w r b - other").halves("other", 1, 2, 3);
    TestModel type =
        TestModel.opset(13)
            .floats("x", "N", "7")
            .input("w", DataType.DOUBLE, "7", "3")
            .node("MatMul", "x w", "y")
            .output("y");

    for (TestModel model : new TestModel[] {product, state, type}) {
      assertThatThrownBy(() -> imported(model, ImportOptions.defaults()))
          .isExactlyInstanceOf(ModelException.class);
    }
  }

  @Test
  void aSizeOfMinusOneIsOpen() {
    TestModel model =
        TestModel.opset(13)
            .input("x", DataType.FLOAT, "-1", "4")
            .node("Relu", "x", "y")
            .output("y");

    assertThat(importedFor(model, 3, 4).outputs().getFirst().type()).hasToString("f32[3,4]");
    assertThatThrownBy(() -> importedFor(model, 3, 5))
        .hasMessageContaining("is given shape [3, 5], the model declares [x[0], 4]");
  }
}
