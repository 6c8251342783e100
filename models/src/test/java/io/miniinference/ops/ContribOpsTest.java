package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Graph;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import org.junit.jupiter.api.Test;

/// Operators of ONNX Runtime's domain: what is refused. Module bench compares what they compute
/// with ONNX Runtime.
class ContribOpsTest {
  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static TestModel quantised(String op, String inputs, AttributeProto... attributes) {
    return TestModel.opset(17)
        .input("x", DataType.UINT8, "N", "3", "8", "8")
        .floats("s")
        .floats("three", "3")
        .input("z", DataType.UINT8)
        .node("com.microsoft." + op, inputs, "y", attributes)
        .output("y");
  }

  @Test
  void aScaleOfATensorIsOneFloat() {
    assertThatThrownBy(() -> imported(quantised("QLinearAdd", "x three z x s z s z")))
        .hasMessageContaining("(QLinearAdd): input 1 'three' must have one element, is f32[3]");
    assertThatThrownBy(() -> imported(quantised("QLinearMul", "x z z x s z s z")))
        .hasMessageContaining("(QLinearMul): input 1 must be of floats, is u8[]");
    assertThatThrownBy(() -> imported(quantised("QLinearSigmoid", "s s z s z")))
        .hasMessageContaining("(QLinearSigmoid): input 0 must be of integers, is f32[]");
  }

  @Test
  void imagesHaveTheirChannelsFirst() {
    AttributeProto last = attribute("channels_last", 1);
    assertThatThrownBy(() -> imported(quantised("QLinearGlobalAveragePool", "x s z s z", last)))
        .hasMessageContaining("attribute 'channels_last' = 1 is not supported");
  }

  @Test
  void partsOfAConcatComeInThrees() {
    AttributeProto axis = attribute("axis", 1);
    assertThatThrownBy(() -> imported(quantised("QLinearConcat", "s z x s z x", axis)))
        .hasMessageContaining("has 6 inputs, needs two and three for each part");
    assertThatThrownBy(() -> imported(quantised("QLinearConcat", "s z x s z")))
        .hasMessageContaining("needs attribute 'axis'");
  }
}
