package io.miniinference.service.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Strings of JSON with escapes or characters beyond ASCII.
final class JsonStrings {
  private JsonStrings() {}

  /// The text between two quotes, which must be proper UTF-8.
  static String unescaped(byte[] bytes, int start, int close, JsonCursor cursor) {
    var text = new StringBuilder(close - start);
    int plain = start;
    int i = start;
    while (i < close) {
      if (bytes[i] == '\\') {
        text.append(decoded(bytes, plain, i, cursor));
        i = escape(bytes, i + 1, close, text, cursor);
        plain = i;
      } else {
        i++;
      }
    }
    text.append(decoded(bytes, plain, close, cursor));
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw cursor.malformedAt(start, "half of a surrogate pair in a string");
    }
    return text.toString();
  }

  private static String decoded(byte[] bytes, int start, int end, JsonCursor cursor) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, start, end - start))
          .toString();
    } catch (CharacterCodingException e) {
      throw cursor.malformedAt(start, "a string that is not UTF-8");
    }
  }

  /* Appends what the escape at `at` stands for, and returns where it ends. */
  private static int escape(
      byte[] bytes, int at, int close, StringBuilder text, JsonCursor cursor) {
    char plain =
        switch (bytes[at]) {
          case '"', '\\', '/' -> (char) bytes[at];
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'u' -> unicode(bytes, at + 1, close, cursor);
          default -> throw cursor.malformedAt(at, "an unknown escape in a string");
        };
    text.append(plain);
    return at + (bytes[at] == 'u' ? 5 : 1);
  }

  private static char unicode(byte[] bytes, int at, int close, JsonCursor cursor) {
    int value = 0;
    for (int i = at; i < at + 4; i++) {
      int digit = i < close ? Character.digit((char) bytes[i], 16) : -1;
      if (digit < 0 || bytes[i] < 0) {
        throw cursor.malformedAt(at, "an escape without four hexadecimal digits");
      }
      value = value << 4 | digit;
    }
    return (char) value;
  }
}
