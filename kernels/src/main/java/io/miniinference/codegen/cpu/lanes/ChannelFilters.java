package io.miniinference.codegen.cpu.lanes;

import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Filters `[M, C, taps]` of a convolution, or `[C, M, taps]` of a transposed one, as
/// `[M][taps][C]`: what a tap multiplies the channels of a pixel with is one row.
record ChannelFilters(boolean isTransposed) implements Packing {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  @Override
  public long bytes(Tensor weight) {
    return weight.elements() * Float.BYTES;
  }

  @Override
  public void pack(Tensor weight, MemorySegment target) {
    long[] shape = weight.shape();
    long outputs = shape[isTransposed ? 1 : 0];
    long channels = shape[isTransposed ? 0 : 1];
    long taps = weight.elements() / (outputs * channels);
    for (long i = 0; i < weight.elements(); i++) {
      long outer = i / taps / shape[1];
      long inner = i / taps % shape[1];
      long m = isTransposed ? inner : outer;
      long c = isTransposed ? outer : inner;
      long to = (m * taps + i % taps) * channels + c;
      target.set(FLOAT, to * Float.BYTES, weight.data().get(FLOAT, i * Float.BYTES));
    }
  }
}
