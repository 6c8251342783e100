package io.miniinference.bench.contrib;

import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.I32;
import static io.miniinference.ir.ElementType.I64;

import io.miniinference.ir.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The operators of the optimiser, as ONNX Runtime computes them.
final class FusedOpsTest {
  @ParameterizedTest
  @CsvSource({"0, 0, 0, 0", "1, 0, 0, 0", "0, 1, 0, 0", "0, 0, 1, 1", "1, 1, 1, 0", "1, 1, 1, 1"})
  void matricesAreTurnedAndScaled(int turnedA, int turnedB, int batchA, int batchB) {
    long[] a = shape(turnedA == 1, batchA == 1, 5, 7);
    long[] b = shape(turnedB == 1, batchB == 1, 7, 3);
    Peers.compare(
        PeerModel.opset(17)
            .input("a", F32, a)
            .input("b", F32, b)
            .node(
                "FusedMatMul",
                "a b",
                "y",
                "alpha",
                0.125f,
                "transA",
                turnedA,
                "transB",
                turnedB,
                "transBatchA",
                batchA,
                "transBatchB",
                batchB)
            .outputs("y"));
  }

  private static long[] shape(boolean turned, boolean batchInside, long rows, long columns) {
    long first = turned ? columns : rows;
    long last = turned ? rows : columns;
    return batchInside ? new long[] {first, 2, 4, last} : new long[] {2, 4, first, last};
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Relu", "Tanh", "Sigmoid", "LeakyRelu", "HardSigmoid", "Elu", "Selu", "Softplus"})
  void activationsFollowGemm(String activation) {
    Peers.compare(
        PeerModel.opset(17)
            .input("a", F32, 7, 5)
            .constant("b", F32, 3, 7)
            .constant("c", F32, 3)
            .node(
                "FusedGemm",
                "a b c",
                "y",
                "activation",
                activation,
                "activation_alpha",
                0.3f,
                "activation_beta",
                0.4f,
                "activation_gamma",
                1.5f,
                "alpha",
                0.5f,
                "beta",
                2f,
                "transA",
                1,
                "transB",
                1)
            .outputs("y"));
  }

  @ParameterizedTest
  @CsvSource({
    "Relu, 0, 0",
    "Tanh, 0, 0",
    "Sigmoid, 0, 0",
    "LeakyRelu, 0.2, 0",
    "Clip, -0.5, 6",
    "HardSigmoid, 0.1, 0.4"
  })
  void activationsAndSumsFollowConvolutions(String activation, float first, float second) {
    float[] parameters =
        switch (activation) {
          case "LeakyRelu" -> new float[] {first};
          case "Clip", "HardSigmoid" -> new float[] {first, second};
          default -> new float[0];
        };
    Peers.compare(
        PeerModel.opset(17)
            .input("x", F32, 2, 4, 9, 8)
            .constant("w", F32, 6, 2, 3, 3)
            .constant("b", F32, 6)
            .input("z", F32, 2, 6, 5, 4)
            .node(
                "FusedConv",
                "x w b z",
                "y",
                "activation",
                activation,
                "activation_params",
                parameters,
                "group",
                2,
                "strides",
                new long[] {2, 2},
                "pads",
                new long[] {1, 1, 1, 1})
            .node("FusedConv", "x w b", "u", "activation", "Relu", "group", 2)
            .outputs("y u"));
  }

  @Test
  void geluHasFourForms() {
    Peers.compare(
        PeerModel.opset(17)
            .input("x", F32, 2, 5, 40)
            .constant("b", F32, 40)
            .node("Gelu", "x", "r")
            .node("BiasGelu", "x b", "s")
            .node("FastGelu", "x", "t")
            .node("FastGelu", "x b", "u")
            .node("QuickGelu", "x", "v")
            .node("QuickGelu", "x", "w", "alpha", 1.1f)
            .outputs("r s t u v w"));
  }

  @Test
  void sumsAreNormalised() {
    Peers.compare(
        PeerModel.opset(17)
            .input("x", F32, 2, 5, 40)
            .input("s", F32, 2, 5, 40)
            .input("p", F32, 5, 40)
            .constant("g", F32, 40)
            .constant("b", F32, 40)
            .constant("c", F32, 40)
            .node("SkipLayerNormalization", "x s g b c", "y1 - - z1", "epsilon", 1e-5f)
            .node("SkipLayerNormalization", "x p g b", "y2")
            .node("SkipLayerNormalization", "x s g", "y3")
            .node("SkipSimplifiedLayerNormalization", "x s g c", "y4 - - z4", "epsilon", 1e-6f)
            .node("SkipSimplifiedLayerNormalization", "x p g", "y5")
            .outputs("y1 z1 y2 y3 y4 z4 y5"));
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 13, 17, 21})
  void normalisationsOfTheDefaultDomainAreOfAnyOpset(long opset) {
    Peers.compare(
        PeerModel.opset(opset)
            .input("x", F32, 2, 5, 40)
            .constant("g", F32, 40)
            .constant("b", F32, 40)
            .standard("LayerNormalization", "x g b", "y", "epsilon", 1e-6f)
            .standard("SimplifiedLayerNormalization", "x g", "z", "epsilon", 1e-6f, "axis", -1)
            .outputs("y z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"words types - mask", "words types - -", "words - - -", "words - at -"})
  void wordsAreEmbedded(String given) {
    String[] inputs = given.split(" ");
    PeerModel model =
        PeerModel.opset(17)
            .input("words", PeerModel.whole(I32, new long[] {2, 4}, 1, 5, 8, 0, 3, 3, 2, 7))
            .constant("table", F32, 9, 16)
            .constant("places", F32, 6, 16)
            .constant("kinds", F32, 2, 16)
            .constant("g", F32, 16)
            .constant("b", F32, 16);
    if (!inputs[1].equals("-")) {
      model.input("types", PeerModel.whole(I32, new long[] {2, 4}, 0, 0, 1, 1, 0, 1, 1, 0));
    }
    if (!inputs[3].equals("-")) {
      model.input("mask", PeerModel.whole(I32, new long[] {2, 4}, 1, 1, 1, 0, 1, 1, 0, 0));
    }
    if (!inputs[2].equals("-")) {
      model.input("at", PeerModel.whole(I32, new long[] {2, 4}, 5, 4, 3, 2, 1, 0, 0, 1));
    }
    String kinds = inputs[1].equals("-") ? "-" : "kinds";
    String all =
        "words %s table places %s g b %s %s".formatted(inputs[1], kinds, inputs[3], inputs[2]);
    Peers.compare(
        model
            .node("EmbedLayerNormalization", all, "y lengths sum", "epsilon", 1e-5f)
            .outputs("y lengths sum"));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "0, 6", "1, 6"})
  void queriesAreTurned(int interleaved, int rotated) {
    long half = rotated == 0 ? 4 : rotated / 2;
    PeerModel model =
        PeerModel.opset(17)
            .input("x", F32, 2, 5, 24)
            .input("h", F32, 2, 3, 5, 8)
            .constant("cos", F32, 16, half)
            .constant("sin", F32, 16, half)
            .constant("first", Tensor.of(new long[] {7}, 1))
            .constant("at", PeerModel.whole(I64, new long[] {2, 5}, 0, 3, 2, 9, 4, 1, 1, 8, 15, 0));
    Object[] attributes = {
      "interleaved", interleaved, "rotary_embedding_dim", rotated, "num_heads", 3
    };
    model
        .node("RotaryEmbedding", "x first cos sin", "y", attributes)
        .node("RotaryEmbedding", "x at cos sin", "z", attributes)
        .node("RotaryEmbedding", "h at cos sin", "u", attributes);
    if (rotated == 0) {
      model.node("RotaryEmbedding", "x at cos sin", "v", "interleaved", interleaved);
    }
    Peers.compare(model.outputs(rotated == 0 ? "y z u v" : "y z u"));
  }
}
