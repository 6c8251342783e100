package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
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

  private static TestModel fused(String op, String inputs, AttributeProto... attributes) {
    return TestModel.opset(17)
        .floats("x", "N", "4", "12")
        .floats("w", "12", "24")
        .floats("v", "12")
        .floats("image", "N", "3", "8", "8")
        .floats("taps", "4", "3", "3", "3")
        .input("mask", DataType.INT32, "4", "N")
        .input("bytes", DataType.UINT8, "5", "2", "16")
        .floats("scales", "5", "2")
        .node("com.microsoft." + op, inputs, "y", attributes)
        .output("y");
  }

  @Test
  void anActivationIsOneThatIsKnown() {
    AttributeProto odd = attribute("activation", "Snake");
    assertThatThrownBy(() -> imported(fused("FusedGemm", "w v", odd)))
        .hasMessageContaining("(FusedGemm)");
    assertThatThrownBy(() -> imported(fused("FusedConv", "image taps", odd)))
        .hasMessageContaining("has activation 'Snake', which is none of the standard's");
    AttributeProto clip = attribute("activation", "Clip");
    assertThatThrownBy(() -> imported(fused("FusedConv", "image taps", clip)))
        .hasMessageContaining("has activation 'Clip', needs two 'activation_params'");
  }

  @Test
  void halvesOfAnOddAxisAreRefused() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "N", "4", "7")
            .floats("b", "7")
            .node("com.microsoft.BiasSplitGelu", "x b", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model)).hasMessageContaining("into halves");
  }

  @Test
  void attentionSaysWhatItIsAskedFor() {
    AttributeProto heads = attribute("num_heads", 2);
    assertThatThrownBy(() -> imported(fused("Attention", "x w", attribute("num_heads", 5))))
        .hasMessageContaining("splits f32[N,4,8] into 5 heads");
    assertThatThrownBy(() -> imported(fused("Attention", "x w", heads, attribute("do_rotary", 1))))
        .hasMessageContaining("attribute 'do_rotary' = 1 is not supported");
    assertThatThrownBy(() -> imported(fused("Attention", "x w v mask", heads)))
        .hasMessageContaining("(Attention)");
    assertThatThrownBy(() -> imported(fused("Attention", "x w - mask", heads)))
        .hasMessageContaining("has a mask i32[4,N]");
    AttributeProto sizes = integers("qkv_hidden_sizes", 8, 8, 9);
    assertThatThrownBy(() -> imported(fused("Attention", "x w", heads, sizes)))
        .hasMessageContaining("'qkv_hidden_sizes' = [8, 8, 9] for weights f32[12,24]");
    assertThatThrownBy(() -> imported(fused("MultiHeadAttention", "x", heads)))
        .hasMessageContaining("queries, keys and values in one tensor is not supported");
    assertThatThrownBy(() -> imported(fused("MultiHeadAttention", "x x x")))
        .hasMessageContaining("needs attribute 'num_heads'");
  }

  private static TestModel grouped(AttributeProto... attributes) {
    return TestModel.opset(17)
        .floats("x", "N", "1", "32")
        .floats("past", "N", "2", "6", "8")
        .input("last", DataType.INT32, "N")
        .input("total", DataType.INT32)
        .node("com.microsoft.GroupQueryAttention", "x x x past past last total", "y", attributes)
        .output("y");
  }

  @Test
  void theLengthOfGroupQueriesIsKnownAtLoad() {
    AttributeProto heads = attribute("num_heads", 4);
    assertThatThrownBy(() -> imported(grouped(heads, attribute("kv_num_heads", 3))))
        .hasMessageContaining("shares 3 keys among 4 heads");
    assertThatThrownBy(() -> imported(grouped(heads, attribute("kv_num_heads", 2))))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("input 6 'total' must be known at load");
  }

  @Test
  void packedWeightsFitTheirAttributes() {
    AttributeProto columns = attribute("K", 12);
    AttributeProto rows = attribute("N", 5);
    AttributeProto block = attribute("block_size", 16);
    assertThatThrownBy(() -> imported(fused("MatMulNBits", "x bytes scales", columns, rows, block)))
        .hasMessageContaining("input 1 must have 5 rows of 8, is u8[5,2,16]");
    AttributeProto three = attribute("bits", 3);
    assertThatThrownBy(
            () -> imported(fused("MatMulNBits", "x bytes scales", columns, rows, block, three)))
        .hasMessageContaining("has attribute 'bits' = 3; supported are 2, 4 and 8");
    AttributeProto odd = attribute("block_size", 3);
    assertThatThrownBy(() -> imported(fused("MatMulNBits", "x bytes scales", columns, rows, odd)))
        .hasMessageContaining("has attribute 'block_size' = 3, needs a multiple of 2");
    AttributeProto many = attribute("K", Long.MAX_VALUE);
    assertThatThrownBy(() -> imported(fused("MatMulNBits", "x bytes scales", many, rows, block)))
        .hasMessageContaining("has attribute 'K' = 9223372036854775807");
    assertThatThrownBy(
            () -> imported(fused("MatMulNBits", "x bytes scales - bytes", columns, rows, block)))
        .hasMessageContaining("an order of groups (input 4) is not supported");
  }

  /// ONNX Runtime computes these on GPUs alone, so it is no oracle here.
  @Test
  void operatorsOfGpusAreTheSumsThatTheyStandFor() {
    Graph graph =
        imported(
            TestModel.opset(17)
                .floats("x", "1", "1", "4")
                .floats("b", "4")
                .floats("s", "1", "1", "4")
                .node("com.microsoft.BiasAdd", "x b s", "y")
                .node("com.microsoft.BiasSplitGelu", "x b", "z")
                .node(
                    "com.microsoft.BiasSoftmax",
                    "x b",
                    "u",
                    attribute("axis", 2),
                    attribute("is_inner_broadcast", 1))
                .output("y")
                .output("z")
                .output("u"));
    Tensor x = SmallTensors.of(ElementType.F32, new long[] {1, 1, 4}, 1.0, 2.0, -1.0, 0.5);
    Tensor b = SmallTensors.of(ElementType.F32, new long[] {4}, 0.5, -0.5, 2.0, -0.5);
    Tensor s = SmallTensors.of(ElementType.F32, new long[] {1, 1, 4}, 10.0, 20.0, 30.0, 40.0);
    List<Tensor> results = Interpreter.run(graph, List.of(x, b, s));
    assertThat(SmallTensors.reals(results.get(0))).containsExactly(11.5, 21.5, 31, 40);
    // gelu(1) = 0.841345, gelu(0) = 0
    assertThat(SmallTensors.reals(results.get(1)))
        .containsExactly(new double[] {1.5 * 0.841345, 0}, within(1e-5));
    double sum = 2 * Math.exp(1.5) + Math.exp(1) + 1;
    assertThat(SmallTensors.reals(results.get(2)))
        .containsExactly(
            new double[] {Math.exp(1.5) / sum, Math.exp(1.5) / sum, Math.exp(1) / sum, 1 / sum},
            within(1e-6));
  }
}
