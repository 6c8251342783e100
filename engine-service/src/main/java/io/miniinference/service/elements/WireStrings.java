package io.miniinference.service.elements;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Strings in binary data: each behind its length in four bytes, little-endian ([Binary Tensor Data
/// Extension](https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_binary_data.md)).
public final class WireStrings {
  private static final ValueLayout.OfInt LENGTH =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String input;
  private final MemorySegment data;
  private long at;

  private WireStrings(String input, MemorySegment data) {
    this.input = input;
    this.data = data;
  }

  /// The codes of the strings of an input.
  ///
  /// @param elements how many its shape holds
  /// @param table gets those that are new to it
  /// @throws InvalidRequestException if the data are not exactly so many strings
  public static MemorySegment codes(
      String input, MemorySegment data, long elements, StringTable table) {
    WireStrings strings = new WireStrings(input, data);
    if (elements > data.byteSize() / LENGTH.byteSize()) {
      throw strings.wrong(
          "holds %d strings, more than %d bytes can be".formatted(elements, data.byteSize()));
    }
    StringElements all = StringElements.allocate(elements, table);
    for (long i = 0; i < elements; i++) {
      all.set(i, table.code(strings.next(i).toArray(ValueLayout.JAVA_BYTE)));
    }
    if (strings.at < data.byteSize()) {
      throw strings.wrong(
          "holds %d strings, and %d bytes follow them"
              .formatted(elements, data.byteSize() - strings.at));
    }
    return all.codes();
  }

  private MemorySegment next(long position) {
    if (data.byteSize() - at < LENGTH.byteSize()) {
      throw past(position, LENGTH.byteSize(), "its length");
    }
    long length = Integer.toUnsignedLong(data.get(LENGTH, at));
    at += LENGTH.byteSize();
    if (length > data.byteSize() - at) {
      throw past(position, length, "the string");
    }
    MemorySegment string = data.asSlice(at, length);
    at += length;
    return string;
  }

  private InvalidRequestException past(long position, long bytes, String what) {
    return new InvalidRequestException(
        "input '%s' (BYTES) at position %d: %s takes %d bytes, and %d are left"
            .formatted(input, position, what, bytes, data.byteSize() - at));
  }

  private InvalidRequestException wrong(String what) {
    return new InvalidRequestException("input '%s' (BYTES) %s".formatted(input, what));
  }

  /// Strings as binary data.
  ///
  /// @throws ArithmeticException if they are more than an array holds
  public static byte[] bytes(StringElements strings) {
    ByteBuffer all =
        ByteBuffer.allocate(Math.toIntExact(strings.wireBytes())).order(ByteOrder.LITTLE_ENDIAN);
    for (long i = 0; i < strings.count(); i++) {
      byte[] string = strings.at(i);
      all.putInt(string.length).put(string);
    }
    return all.array();
  }
}
