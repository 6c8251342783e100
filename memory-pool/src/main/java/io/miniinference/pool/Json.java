package io.miniinference.pool;

/// JSON strings; the memory map needs no more of JSON than this.
final class Json {
  private Json() {}

  /// The text as a JSON string, quotes included. Control characters and lone surrogates are
  /// escaped, so that no label can break a line of text or a document.
  static String quote(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    text.codePoints().forEach(c -> append(out, c));
    return out.append('"').toString();
  }

  private static void append(StringBuilder out, int c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> appendPlain(out, c);
    }
  }

  private static void appendPlain(StringBuilder out, int c) {
    if (mustEscape(c)) {
      out.append(String.format("\\u%04x", c));
    } else {
      out.appendCodePoint(c);
    }
  }

  private static boolean mustEscape(int c) {
    boolean loneSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    boolean lineSeparator = c == 0x2028 || c == 0x2029;
    return Character.isISOControl(c) || loneSurrogate || lineSeparator;
  }
}
