package io.miniinference.runtime.serve;

import io.miniinference.device.Device;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Weight;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Where each weight lies in the model's weight region: one after the other, aligned to 256 bytes.
///
/// @param offsets by block id, from the start of the region
/// @param bytes of the region
public record WeightLayout(long[] offsets, long bytes) {
  private static final long ALIGNMENT = 256;

  static WeightLayout of(LoweredProgram program) {
    long[] offsets = new long[program.plan().blocks().size()];
    long at = 0;
    for (Weight weight : program.weights()) {
      offsets[weight.block().id()] = at;
      long bytes = weight.packing().bytes(weight.tensor());
      at = Math.addExact(at, Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT);
    }
    return new WeightLayout(offsets, at);
  }

  /// Packs all weights and copies them into the pool, from `base` on.
  public void upload(LoweredProgram program, Device device, long base) {
    for (Weight weight : program.weights()) {
      try (Arena arena = Arena.ofConfined()) {
        long bytes = weight.packing().bytes(weight.tensor());
        MemorySegment packed = arena.allocate(Math.max(1, bytes), 64);
        weight.packing().pack(weight.tensor(), packed.asSlice(0, bytes));
        device.upload(base + offsets[weight.block().id()], packed.asSlice(0, bytes));
      }
    }
  }
}
