package io.miniinference.codegen.cpu.packing;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Signed bytes packed as the floats that hold them.
///
/// @param floats their order
public record FloatsOfBytes(Packing floats) implements Packing {
  @Override
  public long bytes(Tensor weight) {
    return floats.bytes(weight);
  }

  @Override
  public int elementBytes(Tensor weight) {
    return Float.BYTES;
  }

  @Override
  public void pack(Tensor weight, MemorySegment target) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(weight.elements() * Float.BYTES, Float.BYTES);
      for (long i = 0; i < weight.elements(); i++) {
        data.setAtIndex(ValueLayout.JAVA_FLOAT, i, weight.data().get(ValueLayout.JAVA_BYTE, i));
      }
      floats.pack(new Tensor(ElementType.F32, weight.shape(), data), target);
    }
  }
}
