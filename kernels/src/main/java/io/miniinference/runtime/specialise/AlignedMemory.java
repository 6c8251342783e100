package io.miniinference.runtime.specialise;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory of the host that a writer may fill with elements of any type.
final class AlignedMemory {
  private static final long MOST_HEAP_BYTES = 1L << 30;

  private AlignedMemory() {}

  /// A tensor of zeros, aligned to 8 bytes.
  static Tensor tensor(ElementType element, long[] shape) {
    long bytes = Math.multiplyExact(Tensor.elements(shape), element.bytes());
    return new Tensor(element, shape, bytes(bytes));
  }

  private static MemorySegment bytes(long count) {
    return count <= MOST_HEAP_BYTES
        ? MemorySegment.ofArray(new long[(int) Math.ceilDiv(count, Long.BYTES)]).asSlice(0, count)
        : Arena.ofAuto().allocate(count, Long.BYTES);
  }
}
