package io.miniinference.codegen.cpu.packing;

import io.miniinference.codegen.cpu.lanes.Weights;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Filters of bytes `[M, C, KH, KW]`, C a multiple of four, as `[blocks of lanes of M][KH][C /
/// 4][KW][lanes][4]`, missing output channels zero.
public record ByteFilters(int lanes) implements Packing {
  @Override
  public long bytes(Tensor weight) {
    long outputs = weight.shape()[0];
    return weight.elements() / Math.max(1, outputs) * Math.ceilDiv(outputs, lanes) * lanes;
  }

  @Override
  public void pack(Tensor weight, MemorySegment target) {
    long[] shape = weight.shape();
    long taps = shape[2] * shape[3];
    for (long i = 0; i < weight.elements(); i++) {
      long m = i / (shape[1] * taps);
      long channel = i / taps % shape[1];
      long row = m / lanes * shape[2] + i / shape[3] % shape[2];
      long tap =
          (row * (shape[1] / Weights.FOUR) + channel / Weights.FOUR) * shape[3] + i % shape[3];
      long at = (tap * lanes + m % lanes) * Weights.FOUR + channel % Weights.FOUR;
      target.set(ValueLayout.JAVA_BYTE, at, weight.data().get(ValueLayout.JAVA_BYTE, i));
    }
  }
}
