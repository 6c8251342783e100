package io.miniinference.runtime.strings;

import io.miniinference.runtime.InvalidRequestException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Splits strings as Python's `str.split` does, of which ONNX took it: at a delimiter, or, where
/// that is empty, at blanks, however many.
///
/// Strings are of bytes, one char each, as tables hold them: delimiters of UTF-8 are found in
/// UTF-8.
///
/// @param delimiter empty for blanks
/// @param mostSplits negative for as many as there are
record Splitter(String delimiter, long mostSplits) {
  /// Blanks of Unicode that UTF-8 has as several bytes, those bytes a char each.
  private static final List<String> WIDE_BLANKS = wideBlanks();

  private static List<String> wideBlanks() {
    List<String> blanks = new ArrayList<>();
    for (char c = 0x80; c < 0x3001; c++) {
      if (Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85) {
        byte[] utf8 = String.valueOf(c).getBytes(StandardCharsets.UTF_8);
        blanks.add(new String(utf8, StandardCharsets.ISO_8859_1));
      }
    }
    return List.copyOf(blanks);
  }

  /// @param most parts
  /// @throws InvalidRequestException if there are more
  List<String> parts(String text, long most) {
    return delimiter.isEmpty() ? words(text, most) : between(text, most);
  }

  private static void add(String part, List<String> parts, long most) {
    if (parts.size() >= most) {
      throw new InvalidRequestException("strings of the request are split into too many parts");
    }
    parts.add(part);
  }

  private boolean isLast(List<String> parts) {
    return mostSplits >= 0 && parts.size() >= mostSplits;
  }

  private List<String> between(String text, long most) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    int end = text.indexOf(delimiter);
    while (end >= 0 && !isLast(parts)) {
      add(text.substring(from, end), parts, most);
      from = end + delimiter.length();
      end = text.indexOf(delimiter, from);
    }
    add(text.substring(from), parts, most);
    return parts;
  }

  private List<String> words(String text, long most) {
    List<String> words = new ArrayList<>();
    int at = behindBlanks(text, 0);
    while (at < text.length()) {
      int end = isLast(words) ? text.length() : wordEnd(text, at);
      add(text.substring(at, end), words, most);
      at = behindBlanks(text, end);
    }
    return words;
  }

  private static int wordEnd(String text, int from) {
    int at = from;
    while (at < text.length() && blankAt(text, at) == 0) {
      at++;
    }
    return at;
  }

  private static int behindBlanks(String text, int from) {
    int at = from;
    while (at < text.length() && blankAt(text, at) > 0) {
      at += blankAt(text, at);
    }
    return at;
  }

  /* The length of the blank that begins there; 0 if none does. */
  private static int blankAt(String text, int at) {
    char c = text.charAt(at);
    if (c < 0x80) {
      return Character.isWhitespace(c) ? 1 : 0;
    }
    return WIDE_BLANKS.stream()
        .filter(blank -> text.startsWith(blank, at))
        .mapToInt(String::length)
        .findFirst()
        .orElse(0);
  }
}
