package io.miniinference.service.grpc;

import io.miniinference.ir.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Elements as their bits, whatever they mean.
final class RawElements {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private RawElements() {}

  /// Writes the low bits that an element has.
  static void write(MemorySegment memory, ElementType type, long index, long bits) {
    switch (type.bytes()) {
      case 1 -> memory.set(ValueLayout.JAVA_BYTE, index, (byte) bits);
      case 2 -> memory.set(SHORT, index * 2, (short) bits);
      case 4 -> memory.set(INT, index * 4, (int) bits);
      default -> memory.set(LONG, index * 8, bits);
    }
  }
}
