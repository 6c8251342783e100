package io.miniinference.service.elements;

import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The elements of a tensor of strings: codes, and what they stand for.
///
/// @param codes dense row-major, 32 bits each, little-endian
public record StringElements(MemorySegment codes, StringTable table) {
  private static final ValueLayout.OfInt CODE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Memory for the codes of so many strings, which are empty ones.
  static StringElements allocate(long count, StringTable table) {
    byte[] codes = new byte[Math.toIntExact(Math.multiplyExact(count, CODE.byteSize()))];
    return new StringElements(MemorySegment.ofArray(codes), table);
  }

  public long count() {
    return codes.byteSize() / CODE.byteSize();
  }

  /// The bytes of a string.
  public byte[] at(long position) {
    return table.bytes(code(position));
  }

  private int code(long position) {
    return codes.get(CODE, position * CODE.byteSize());
  }

  /// The bytes of all strings.
  public long bytes() {
    long bytes = 0;
    for (long i = 0; i < count(); i++) {
      bytes += table.length(code(i));
    }
    return bytes;
  }

  void set(long position, int code) {
    codes.set(CODE, position * CODE.byteSize(), code);
  }
}
