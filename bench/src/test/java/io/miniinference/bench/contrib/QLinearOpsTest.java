package io.miniinference.bench.contrib;

import static io.miniinference.ir.ElementType.BOOL;
import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.I32;
import static io.miniinference.ir.ElementType.I8;
import static io.miniinference.ir.ElementType.U8;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The operators of the quantiser's integer format, as ONNX Runtime computes them.
final class QLinearOpsTest {
  /// Scales and zero points of two operands and a result.
  private static PeerModel three(ElementType type) {
    int middle = type == U8 ? 121 : -7;
    return PeerModel.opset(17)
        .scale("sa", 0.0173)
        .zeroPoint("za", type, middle)
        .scale("sb", 0.0091)
        .zeroPoint("zb", type, middle + 4)
        .scale("sy", 0.0219)
        .zeroPoint("zy", type, middle - 3);
  }

  @ParameterizedTest
  @CsvSource({"QLinearAdd, U8", "QLinearAdd, I8", "QLinearMul, U8", "QLinearMul, I8"})
  void pairsAreAddedAndMultiplied(String op, ElementType type) {
    Peers.compare(
        three(type)
            .input("a", type, 2, 3, 40)
            .input("b", type, 2, 3, 40)
            .input("c", type, 3, 1)
            .node(op, "a sa za b sb zb sy zy", "x")
            .node(op, "x sy zy c sb zb sa za", "y")
            .outputs("x y"));
  }

  @Test
  void theZeroPointOfAPairsResultCanBeLeftOut() {
    Peers.compare(
        three(U8)
            .input("a", U8, 4, 33)
            .input("b", U8, 33)
            .node("QLinearAdd", "a sa za b sb zb sy", "x")
            .node("QLinearMul", "a sa za b sb zb sy", "y")
            .outputs("x y"));
  }

  @ParameterizedTest
  @EnumSource(names = {"U8", "I8"})
  void partsAreChosenAndJoined(ElementType type) {
    Peers.compare(
        three(type)
            .input("c", BOOL, 5, 1)
            .input("a", type, 5, 7)
            .input("b", type, 7)
            .input("d", type, 5, 3)
            .node("QLinearWhere", "c a sa za b sb zb sy zy", "x")
            .node("QLinearConcat", "sy zy a sa za d sb zb x sy zy", "y", "axis", -1)
            .outputs("x y"));
  }

  @ParameterizedTest
  @EnumSource(names = {"U8", "I8"})
  void functionsAreApplied(ElementType type) {
    Peers.compare(
        three(type)
            .scale("s1", 1 / 256.0)
            .zeroPoint("z1", type, type == U8 ? 0 : -128)
            .input("a", type, 3, 257)
            .node("QLinearSigmoid", "a sa za s1 z1", "x")
            .node("QLinearLeakyRelu", "a sa za sy zy", "y", "alpha", 0.3f)
            .outputs("x y"));
  }

  /// ONNX Runtime sums powers that it has rounded.
  @ParameterizedTest
  @CsvSource({"U8, 13, -1", "I8, 13, 1", "U8, 12, 1", "I8, 12, 2"})
  void softmaxIsNear(ElementType type, int opset, int axis) {
    Peers.compare(
        three(type)
            .scale("s1", 1 / 256.0)
            .zeroPoint("z1", type, type == U8 ? 0 : -128)
            .input("a", type, 3, 5, 9)
            .node("QLinearSoftmax", "a sa za s1 z1", "y", "axis", axis, "opset", opset)
            .outputs("y"),
        1);
  }

  @ParameterizedTest
  @EnumSource(names = {"U8", "I8"})
  void imagesArePooled(ElementType type) {
    Peers.compare(
        three(type)
            .input("a", type, 2, 3, 7, 9)
            .node(
                "QLinearAveragePool",
                "a sa za sy zy",
                "x",
                "kernel_shape",
                new long[] {3, 2},
                "strides",
                new long[] {2, 1},
                "pads",
                new long[] {1, 0, 1, 1})
            .node(
                "QLinearAveragePool",
                "a sa za sy zy",
                "y",
                "kernel_shape",
                new long[] {3, 3},
                "pads",
                new long[] {1, 1, 1, 1},
                "ceil_mode",
                1,
                "count_include_pad",
                1)
            .node("QLinearGlobalAveragePool", "a sa za sy zy", "z")
            .outputs("x y z"));
  }

  @ParameterizedTest
  @CsvSource({"U8, U8, 0, 0", "U8, I8, 0, 1", "I8, I8, 1, 0", "U8, I8, 1, 1"})
  void matricesAreMultiplied(ElementType left, ElementType right, int turnedA, int turnedB) {
    PeerModel model =
        three(left)
            .zeroPoint("zw", right, 3)
            .input("a", left, turnedA == 1 ? new long[] {17, 6} : new long[] {6, 17})
            .constant("b", right, turnedB == 1 ? new long[] {5, 17} : new long[] {17, 5})
            .constant("c", PeerModel.whole(I32, new long[] {5}, 1000, -2000, 30, 4, 99999));
    Object[] attributes = {"transA", turnedA, "transB", turnedB, "alpha", 0.75f};
    Peers.compare(
        model
            .scale("sz", 3.1)
            .node("QGemm", "a sa za b sb zw c sz zy", "x", attributes)
            .node("QGemm", "a sa za b sb zw", "y", attributes)
            .node("QGemm", "a sa za b sb zw c", "z", attributes)
            .outputs("x y z"));
  }

  private static Tensor fiveScales() {
    return Tensor.of(new float[] {0.011f, 0.02f, 0.017f, 0.004f, 0.009f}, 5);
  }

  @Test
  void columnsOfWeightsHaveScalesOfTheirOwn() {
    Peers.compare(
        three(U8)
            .scale("sz", 3.1)
            .input("a", U8, 6, 17)
            .input("r", F32, 2, 6, 17)
            .constant("w", I8, 17, 5)
            .constant("sw", fiveScales())
            .constant("zw", PeerModel.whole(I8, new long[] {5}, 0, 1, -2, 3, 4))
            .constant("bias", F32, 5)
            .node("QGemm", "a sa za w sw zw - sz zy", "x")
            .node("MatMulIntegerToFloat", "a w sa sw za zw bias", "y")
            .node("MatMulIntegerToFloat", "a w sa sb", "z")
            .node("DynamicQuantizeMatMul", "r w sw zw bias", "u")
            .node("DynamicQuantizeMatMul", "r w sb", "v")
            .outputs("x y z u v"));
  }

  @ParameterizedTest
  @EnumSource(names = {"U8", "I8", "I16"})
  void numbersAreQuantisedAndBack(ElementType type) {
    Peers.compare(
        PeerModel.opset(17)
            .scale("s", 0.013)
            .zeroPoint("z", type, 5)
            .constant("sc", Tensor.of(new float[] {0.01f, 0.02f, 0.005f}, 3))
            .constant("zc", PeerModel.whole(type, new long[] {3}, 1, 0, 7))
            .input("a", F32, 2, 3, 11)
            .node("QuantizeLinear", "a s z", "x")
            .node("DequantizeLinear", "x s z", "y")
            .node("QuantizeLinear", "a sc zc", "u", "axis", 1)
            .node("DequantizeLinear", "u sc zc", "v", "axis", 1)
            .outputs("x y u v"));
  }

  /// ONNX Runtime rounds inputs and states of each step to 8 bits, and the engine does not.
  @ParameterizedTest
  @CsvSource({"forward, 1, 1", "reverse, 1, 32", "bidirectional, 2, 1", "bidirectional, 2, 32"})
  void aLayerWithWeightsInEightBitsIsNear(String direction, int directions, int scales) {
    long[] scale = scales == 1 ? new long[] {directions} : new long[] {directions, scales};
    Peers.compareRounded(
        PeerModel.opset(17)
            .input("x", F32, 5, 3, 12)
            .constant("w", I8, directions, 12, 32)
            .constant("r", I8, directions, 8, 32)
            .constant("b", F32, directions, 64)
            .constant("sw", filled(scale, 0.0015f))
            .constant("sr", filled(scale, 0.0012f))
            .constant("z", PeerModel.whole(I8, scale))
            .node(
                "DynamicQuantizeLSTM",
                "x w r b - - - - sw z sr z",
                "y h c",
                "hidden_size",
                8,
                "direction",
                direction)
            .outputs("y h c"),
        0.02);
  }

  private static Tensor filled(long[] shape, float value) {
    float[] all = new float[Math.toIntExact(Tensor.elements(shape))];
    for (int i = 0; i < all.length; i++) {
      all[i] = value * (1 + i % 3);
    }
    return Tensor.of(all, shape);
  }
}
