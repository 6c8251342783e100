package io.miniinference.codegen.cpu.packing;

import io.miniinference.codegen.cpu.lanes.Weights;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A matrix of bytes `[K, columns]` (or `[columns, K]` if `transposed`), K a multiple of four, as
/// `[blocks of lanes of columns][K / 4][lanes][4]`, missing columns zero.
public record ByteColumns(int lanes, boolean transposed) implements Packing {
  @Override
  public long bytes(Tensor weight) {
    return Math.ceilDiv(columns(weight), lanes) * lanes * depth(weight);
  }

  @Override
  public int elementBytes(Tensor weight) {
    return Byte.BYTES;
  }

  private long columns(Tensor weight) {
    return weight.shape()[transposed ? 0 : 1];
  }

  private long depth(Tensor weight) {
    return weight.shape()[transposed ? 1 : 0];
  }

  @Override
  public void pack(Tensor weight, MemorySegment target) {
    long columns = columns(weight);
    long depth = depth(weight);
    for (long k = 0; k < depth; k++) {
      for (long j = 0; j < columns; j++) {
        byte number =
            weight.data().get(ValueLayout.JAVA_BYTE, transposed ? j * depth + k : k * columns + j);
        long four = (j / lanes * (depth / Weights.FOUR) + k / Weights.FOUR) * lanes + j % lanes;
        target.set(ValueLayout.JAVA_BYTE, four * Weights.FOUR + k % Weights.FOUR, number);
      }
    }
  }
}
