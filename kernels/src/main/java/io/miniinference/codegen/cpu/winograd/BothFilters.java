package io.miniinference.codegen.cpu.winograd;

import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.MemorySegment;

/// Filters in the orders of two kernels, one behind the other: Winograd's factors, and what a
/// direct convolution reads for images that are too small for those.
///
/// @param direct of 32-bit floats
public record BothFilters(Filters factors, Packing direct) implements Packing {
  @Override
  public long bytes(Tensor weight) {
    return factors.bytes(weight) + direct.bytes(weight);
  }

  @Override
  public void pack(Tensor weight, MemorySegment target) {
    long first = factors.bytes(weight);
    factors.pack(weight, target.asSlice(0, first));
    direct.pack(weight, target.asSlice(first, direct.bytes(weight)));
  }
}
