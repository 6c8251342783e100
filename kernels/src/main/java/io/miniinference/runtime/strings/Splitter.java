package io.miniinference.runtime.strings;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

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

  /// Splits a string.
  ///
  /// @param to gets the parts in their order, each made if it is asked for
  /// @return how many there are
  int split(String text, Consumer<Supplier<String>> to) {
    return delimiter.isEmpty() ? words(text, to) : between(text, to);
  }

  /// What a byte of a string takes: it is held against each byte of the delimiter at worst.
  long stepsAByte() {
    return 1L + delimiter.length();
  }

  private boolean isLast(int parts) {
    return mostSplits >= 0 && parts >= mostSplits;
  }

  private int between(String text, Consumer<Supplier<String>> to) {
    int parts = 0;
    int from = 0;
    int end = text.indexOf(delimiter);
    while (end >= 0 && !isLast(parts)) {
      part(text, from, end, to);
      parts++;
      from = end + delimiter.length();
      end = text.indexOf(delimiter, from);
    }
    part(text, from, text.length(), to);
    return parts + 1;
  }

  private int words(String text, Consumer<Supplier<String>> to) {
    int words = 0;
    int at = behindBlanks(text, 0);
    while (at < text.length()) {
      int end = isLast(words) ? text.length() : wordEnd(text, at);
      part(text, at, end, to);
      words++;
      at = behindBlanks(text, end);
    }
    return words;
  }

  private static void part(String text, int from, int end, Consumer<Supplier<String>> to) {
    to.accept(() -> text.substring(from, end));
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
    if (c != 0xC2 && c != 0xE1 && c != 0xE2 && c != 0xE3) {
      return 0; // no blank begins so
    }
    for (String blank : WIDE_BLANKS) {
      if (text.startsWith(blank, at)) {
        return blank.length();
      }
    }
    return 0;
  }
}
