package io.miniinference.service.elements;

import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The elements of a tensor of strings: codes, and what they stand for.
///
/// @param codes dense row-major, 32 bits each, little-endian
public record StringElements(MemorySegment codes, StringTable table) {
  private static final int QUOTES_AND_COMMA = 3;

  /// Bytes around Base64, `{"b64":}`, and those that it is filled up with.
  private static final int OBJECT_OF_BASE64 = 12;

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

  /// Bytes of all strings as binary data, each behind its length.
  public long wireBytes() {
    return bytes() + count() * Integer.BYTES;
  }

  /// Bytes that all strings may take as JSON at most, with quotes, escapes and commas, or as
  /// Base64.
  ///
  /// @param most where counting may end: some number above it stands for all
  public long jsonBytes(long most) {
    long bytes = 0;
    for (long i = 0; i < count() && bytes <= most; i++) {
      bytes += jsonBytes(table.held(code(i)));
    }
    return bytes;
  }

  private static long jsonBytes(String held) {
    long bytes = QUOTES_AND_COMMA + held.length();
    boolean isAscii = true;
    for (int i = 0; i < held.length(); i++) {
      char c = held.charAt(i);
      isAscii &= c < 0x80;
      bytes += c < ' ' ? 5 : c == '"' || c == '\\' ? 1 : 0;
    }
    return isAscii ? bytes : bytes + held.length() / 3 + OBJECT_OF_BASE64;
  }

  void set(long position, int code) {
    codes.set(CODE, position * CODE.byteSize(), code);
  }
}
