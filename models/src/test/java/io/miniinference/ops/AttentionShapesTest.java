package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Attention reads its inputs at the places of one of them: whoever has fewer is refused, since a
/// device reads on behind its end.
class AttentionShapesTest {
  private static void imported(TestModel model) {
    Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static TestModel linear() {
    return TestModel.opset(27)
        .floats("q", "2", "4", "6")
        .floats("k", "2", "4", "6")
        .floats("v", "2", "4", "6")
        .floats("d", "2", "4", "2")
        .floats("r", "2", "4", "1");
  }

  private static TestModel linear(TestModel model, String inputs) {
    return model
        .node(
            "LinearAttention",
            inputs,
            "y",
            attribute("q_num_heads", 2),
            attribute("kv_num_heads", 2),
            attribute("update_rule", "gated_delta"))
        .output("y");
  }

  @ParameterizedTest
  @CsvSource({
    "q x v - d r, 6, keys",
    "q k x - d r, 6, values",
    "q k v - x r, 2, a decay",
    "q k v - d x, 1, rates"
  })
  void whatTokensBringIsThereForEachQuery(String inputs, String size, String what) {
    TestModel shorter = linear(linear().floats("x", "2", "3", size), inputs);
    assertThatThrownBy(() -> imported(shorter))
        .hasMessageContaining("has %s f32[2,3,%s] for queries f32[2,4,6]".formatted(what, size));
    TestModel fewer = linear(linear().floats("x", "1", "4", size), inputs);
    assertThatThrownBy(() -> imported(fewer))
        .hasMessageContaining("has %s f32[1,4,%s] for queries f32[2,4,6]".formatted(what, size));
    TestModel open = linear(linear().floats("x", "N", "4", size), inputs);
    assertThatThrownBy(() -> imported(open)).isInstanceOf(NeedsSpecialisation.class);
  }

  @Test
  void aMaskOfMoreRowsThanThereAreLengthsIsRefused() {
    TestModel model =
        TestModel.opset(24)
            .floats("x", "1", "2", "3", "4")
            .floats("mask", "5", "1", "3", "3")
            .input("lengths", DataType.INT64, "1")
            .node("Attention", "x x x mask - - lengths", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("has a mask f32[5,1,3,3] for lengths i64[1]");
  }

  @ParameterizedTest
  @CsvSource({"Attention, 23, ''", "FlexAttention, 26, ai.onnx.preview"})
  void queryHeadsAreAMultipleOfKeyHeads(String op, int opset, String domain) {
    TestModel model =
        TestModel.opset(opset)
            .floats("q", "1", "3", "4", "2")
            .floats("k", "1", "2", "4", "2")
            .node(domain.isEmpty() ? op : domain + "." + op, "q k k", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("has 3 heads of queries and 2 of keys, of which the first must be");
  }

  @Test
  void attentionOfIntegersIsRefused() {
    TestModel model =
        TestModel.opset(26)
            .input("x", DataType.INT32, "1", "2", "3", "4")
            .node("ai.onnx.preview.FlexAttention", "x x x", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("attention of i32 is not supported");
  }

  @ParameterizedTest
  @ValueSource(strings = {"3 2", "4 2 1"})
  void blocksOfScalesCoverTheirInput(String dims) {
    TestModel model =
        TestModel.opset(21)
            .input("x", DataType.INT8, "4", "8")
            .floats("scale", dims.split(" "))
            .node(
                "DequantizeLinear",
                "x scale",
                "y",
                attribute("axis", 1),
                attribute("block_size", 4))
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("for i8[4,8], which differ in more than axis 1, that of the blocks");
  }
}
