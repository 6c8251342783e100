package io.miniinference.bench.contrib;

import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.I32;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// GroupQueryAttention, as ONNX Runtime computes it: four heads that share two keys.
final class GroupQueryTest {
  private static final long HEADS = 4;
  private static final long SHARED = 2;
  private static final long SIZE = 16;

  /// @param rows words of this call
  /// @param past words that are remembered, as long as there is room
  /// @param last what ONNX Runtime calls `seqlens_k`: the place of each row's last word
  private static PeerModel model(int rows, int past, int total, long... last) {
    int batch = last.length;
    return PeerModel.opset(17)
        .input("q", F32, batch, rows, HEADS * SIZE)
        .input("k", F32, batch, rows, SHARED * SIZE)
        .input("v", F32, batch, rows, SHARED * SIZE)
        .input("all", F32, batch, rows, (HEADS + 2 * SHARED) * SIZE)
        .input("pk", F32, batch, SHARED, past, SIZE)
        .input("pv", F32, batch, SHARED, past, SIZE)
        .input("last", PeerModel.whole(I32, new long[] {batch}, last))
        .constant("total", PeerModel.whole(I32, new long[0], total))
        .constant("cos", F32, 16, SIZE / 2)
        .constant("sin", F32, 16, SIZE / 2);
  }

  private static Object[] attributes(Object... more) {
    Object[] all = new Object[4 + more.length];
    all[0] = "num_heads";
    all[1] = (int) HEADS;
    all[2] = "kv_num_heads";
    all[3] = (int) SHARED;
    System.arraycopy(more, 0, all, 4, more.length);
    return all;
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "1, 1"})
  void theFirstCallRemembersItsWords(int rotary, int interleaved) {
    String tables = rotary == 1 ? " cos sin" : "";
    Object[] attributes =
        attributes("do_rotary", rotary, "rotary_interleaved", interleaved, "scale", 0.4f);
    Peers.compare(
        model(5, 0, 5, 4, 4)
            .node("GroupQueryAttention", "q k v pk pv last total" + tables, "y a b", attributes)
            .node("GroupQueryAttention", "all - - pk pv last total" + tables, "z c d", attributes)
            .outputs("y a b z c d"));
  }

  @ParameterizedTest
  @CsvSource({"7, 6, 6", "7, 6, 3", "7, 5, 6", "5, 4, 4"})
  void laterCallsComeBehindWhatIsRemembered(int total, int first, int second) {
    compareLater(model(1, 6, total, first, second));
  }

  /// ONNX Runtime takes several words behind others in batches of one alone.
  @Test
  void severalWordsComeBehindWhatIsRemembered() {
    compareLater(model(3, 6, 9, 8));
  }

  private static void compareLater(PeerModel model) {
    Object[] turned = attributes("do_rotary", 1);
    Peers.compare(
        model
            .node("GroupQueryAttention", "q k v pk pv last total", "y a b", attributes())
            .node("GroupQueryAttention", "q k v pk pv last total cos sin", "z c d", turned)
            .outputs("y a b z c d"));
  }

  @Test
  void scoresAreCappedAndKeysFarBackLeftOut() {
    Peers.compare(
        model(1, 6, 7, 6, 4)
            .node(
                "GroupQueryAttention",
                "q k v pk pv last total",
                "y a b",
                attributes("softcap", 1.5f))
            .node(
                "GroupQueryAttention",
                "q k v pk pv last total",
                "z c d",
                attributes("local_window_size", 3))
            .outputs("y a b z c d"));
  }
}
