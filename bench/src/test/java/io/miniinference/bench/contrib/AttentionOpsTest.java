package io.miniinference.bench.contrib;

import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.I32;

import io.miniinference.ir.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The attention operators of the optimiser, as ONNX Runtime computes them: two heads over two rows
/// of five words.
final class AttentionOpsTest {
  private static final long[] BY_WORD = {1, 1, 1, 0, 0, 1, 1, 1, 1, 0};

  private static Tensor mask(String kind) {
    return switch (kind) {
      case "words" -> PeerModel.whole(I32, new long[] {2, 5}, BY_WORD);
      case "none" -> PeerModel.whole(I32, new long[] {2, 5}, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1);
      case "ends" -> PeerModel.whole(I32, new long[] {2}, 3, 5);
      case "bounds" -> PeerModel.whole(I32, new long[] {4}, 4, 5, 1, 0);
      default -> {
        long[] cells = new long[50];
        for (int i = 0; i < cells.length; i++) {
          cells[i] = i % 3 == 0 ? 0 : 1;
        }
        yield PeerModel.whole(I32, new long[] {2, 5, 5}, cells);
      }
    };
  }

  @ParameterizedTest
  @CsvSource({
    "words, 0",
    "words, 1",
    "none, 0",
    "ends, 0",
    "ends, 1",
    "bounds, 0",
    "pairs, 0",
    "pairs, 1"
  })
  void masksHideWords(String kind, int causal) {
    Peers.compare(
        PeerModel.opset(17)
            .input("x", F32, 2, 5, 12)
            .constant("w", F32, 12, 24)
            .constant("b", F32, 24)
            .input("mask", mask(kind))
            .node("Attention", "x w b mask", "y", "num_heads", 2, "unidirectional", causal)
            .outputs("y"));
  }

  @Test
  void partsDifferInSizeAndScoresAreScaledAndBiased() {
    Peers.compare(
        PeerModel.opset(17)
            .input("x", F32, 2, 5, 12)
            .constant("w", F32, 12, 26)
            .constant("b", F32, 26)
            .constant("square", F32, 12, 24)
            .constant("c", F32, 24)
            .input("mask", mask("words"))
            .input("bias", F32, 1, 2, 5, 5)
            .node(
                "Attention",
                "x w b - - bias",
                "y",
                "num_heads",
                2,
                "qkv_hidden_sizes",
                new long[] {8, 8, 10},
                "scale",
                0.7f)
            .node(
                "Attention",
                "x square c mask - bias",
                "z",
                "num_heads",
                2,
                "mask_filter_value",
                -5f)
            .outputs("y z"));
  }

  @Test
  void whatIsRememberedComesFirst() {
    Peers.compare(
        PeerModel.opset(17)
            .input("x", F32, 2, 3, 12)
            .constant("w", F32, 12, 24)
            .constant("b", F32, 24)
            .input("past", F32, 2, 2, 2, 4, 4)
            .input("mask", PeerModel.whole(I32, new long[] {2, 7}, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1))
            .node("Attention", "x w b mask past", "y now", "num_heads", 2, "unidirectional", 1)
            .outputs("y now"));
  }

  @Test
  void queriesKeysAndValuesComeApart() {
    Peers.compare(
        PeerModel.opset(17)
            .input("q", F32, 2, 5, 12)
            .input("k", F32, 2, 6, 12)
            .input("v", F32, 2, 6, 16)
            .constant("b", F32, 40)
            .input(
                "mask", PeerModel.whole(I32, new long[] {2, 6}, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0))
            .input("bias", F32, 2, 2, 5, 6)
            .node("MultiHeadAttention", "q k v", "r", "num_heads", 2)
            .node("MultiHeadAttention", "q k v b", "s", "num_heads", 2)
            .node("MultiHeadAttention", "q k v b mask bias", "t", "num_heads", 2, "scale", 0.3f)
            .node("MultiHeadAttention", "q k v - - bias", "u now1 now2", "num_heads", 2)
            .outputs("r s t u now1 now2"));
  }

  @ParameterizedTest
  @CsvSource({"0", "1"})
  void keysAndValuesAreRemembered(int causal) {
    Peers.compare(
        PeerModel.opset(17)
            .input("q", F32, 2, 3, 12)
            .input("k", F32, 2, 3, 12)
            .input("v", F32, 2, 3, 12)
            .input("pk", F32, 2, 2, 4, 6)
            .input("pv", F32, 2, 2, 4, 6)
            .input("fk", F32, 2, 2, 5, 6)
            .input("fv", F32, 2, 2, 5, 6)
            .node(
                "MultiHeadAttention",
                "q k v - - - pk pv",
                "y now1 now2",
                "num_heads",
                2,
                "unidirectional",
                causal)
            .node("MultiHeadAttention", "q fk fv", "z", "num_heads", 2)
            .outputs("y now1 now2 z"));
  }
}
