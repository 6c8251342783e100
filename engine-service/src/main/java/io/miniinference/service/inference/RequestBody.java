package io.miniinference.service.inference;

import org.jspecify.annotations.Nullable;

/// A request's body in memory, as it was before it was compressed.
///
/// @param bytes at least `length` of them
/// @param jsonLength bytes of JSON at its beginning; binary data follow them
record RequestBody(byte[] bytes, int length, int jsonLength) {
  private static final byte BYTE_ORDER_MARK = (byte) 0xEF;

  /// A body whose JSON is as long as a header says.
  ///
  /// @param header value of [BinaryHeader#NAME], null where all is JSON
  /// @throws io.miniinference.runtime.InvalidRequestException if that is no length, or longer than
  ///   the body
  static RequestBody of(byte[] bytes, int length, @Nullable String header) {
    return new RequestBody(
        bytes, length, header == null ? length : BinaryHeader.parse(header, length));
  }

  /// Whether the body is the data of the only input, without JSON.
  boolean isRaw() {
    return jsonLength == 0 && length > 0;
  }

  /// Whether the body begins as no text does, such as a picture or the bytes of a tensor.
  boolean beginsAsNoText() {
    if (jsonLength == 0) {
      return false;
    }
    byte first = bytes[0];
    boolean isControl = first >= 0 && first < ' ' && "\t\n\r".indexOf(first) < 0;
    return isControl || first < 0 && first != BYTE_ORDER_MARK;
  }
}
