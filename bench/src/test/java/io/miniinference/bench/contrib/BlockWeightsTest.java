package io.miniinference.bench.contrib;

import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.I64;
import static io.miniinference.ir.ElementType.U8;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Weights of 4 and 8 bits, as ONNX Runtime computes with them.
final class BlockWeightsTest {
  @ParameterizedTest
  @CsvSource({"4, 32, 64, 7", "4, 16, 72, 8", "4, 128, 96, 5", "8, 32, 64, 7", "8, 16, 56, 3"})
  void matricesAreMultiplied(int bits, int blockSize, int columns, int rows) {
    long blocks = Math.ceilDiv(columns, blockSize);
    long zeros = Math.ceilDiv(blocks * bits, 8);
    PeerModel model =
        PeerModel.opset(17)
            .input("a", F32, 2, 3, columns)
            .constant("w", U8, rows, blocks, blockSize * bits / 8)
            .constant("s", F32, rows, blocks)
            .constant("flat", F32, rows * blocks)
            .constant("z", U8, rows, zeros)
            .constant("r", F32, rows, blocks)
            .constant("b", F32, rows);
    Object[] attributes = {"K", columns, "N", rows, "bits", bits, "block_size", blockSize};
    model
        .node("MatMulNBits", "a w s", "x", attributes)
        .node("MatMulNBits", "a w flat z", "y", attributes)
        .node("MatMulNBits", "a w s z - b", "v", attributes);
    if (bits == 4) { // ONNX Runtime takes zero points in floats for 4 bits alone
      model.node("MatMulNBits", "a w s r", "u", attributes);
    }
    Peers.compare(model.outputs(bits == 4 ? "x y v u" : "x y v"));
  }

  @ParameterizedTest
  @CsvSource({"4, 32", "4, 16", "8, 32"})
  void rowsAreGathered(int bits, int blockSize) {
    long columns = 96;
    long blocks = columns / blockSize;
    Object[] attributes = {
      "bits", bits, "block_size", blockSize, "gather_axis", 0, "quantize_axis", 1
    };
    Peers.compare(
        PeerModel.opset(21)
            .input("ids", PeerModel.whole(I64, new long[] {2, 3}, 0, 4, 2, 1, 3, 0))
            .constant("w", U8, 5, columns * bits / 8)
            .constant("s", F32, 5, blocks)
            .constant("z", U8, 5, Math.ceilDiv(blocks * bits, 8))
            .node("GatherBlockQuantized", "w ids s", "x", attributes)
            .node("GatherBlockQuantized", "w ids s z", "y", attributes)
            .outputs("x y"));
  }
}
