package io.miniinference.ir.text;

import io.miniinference.ir.type.ShapeException;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/// A place in a text that is read from left to right; white space between tokens is passed over.
final class TextCursor {
  private final String text;
  private int at;

  TextCursor(String text) {
    this.text = text;
  }

  /// Passes `token` if it is next.
  boolean accept(String token) {
    skipSpace();
    if (!text.startsWith(token, at)) {
      return false;
    }
    at += token.length();
    return true;
  }

  void expect(String token) {
    if (!accept(token)) {
      throw error("expected '" + token + "'");
    }
  }

  boolean lookingAt(String token) {
    skipSpace();
    return text.startsWith(token, at);
  }

  /// Passes the word `word` if it is next and ends there.
  boolean acceptWord(String word) {
    skipSpace();
    int end = at + word.length();
    if (!text.startsWith(word, at) || (end < text.length() && isWord(text.charAt(end)))) {
      return false;
    }
    at = end;
    return true;
  }

  /// Letters, digits and underscores.
  String word(String what) {
    return run(TextCursor::isWord, what);
  }

  /// The longest run of characters that fit, at least one.
  String run(IntPredicate fits, String what) {
    skipSpace();
    int start = at;
    while (at < text.length() && fits.test(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw error("expected " + what);
    }
    return text.substring(start, at);
  }

  /// A quoted string.
  String quoted() {
    expect("\"");
    StringBuilder result = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') {
        return result.toString();
      }
      result.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    char c = next();
    if (c != 'u') {
      return c;
    }
    if (at + 4 > text.length()) {
      throw error("expected four hexadecimal digits");
    }
    String digits = text.substring(at, at + 4);
    at += 4;
    return attempt(at - 4, () -> (char) Integer.parseInt(digits, 16));
  }

  private char next() {
    if (at == text.length()) {
      throw error("the string does not end");
    }
    return text.charAt(at++);
  }

  /// The quoted form of `value`.
  static String quote(String value) {
    StringBuilder result = new StringBuilder("\"");
    for (char c : value.toCharArray()) {
      if (c == '"' || c == '\\') {
        result.append('\\').append(c);
      } else if (c < ' ') {
        result.append(String.format("\\u%04x", (int) c));
      } else {
        result.append(c);
      }
    }
    return result.append('"').toString();
  }

  boolean atEnd() {
    skipSpace();
    return at == text.length();
  }

  int position() {
    skipSpace();
    return at;
  }

  /// What `reading` gives; what it throws becomes an error at `position`.
  <T> T attempt(int position, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (GraphTextException e) {
      throw e;
    } catch (IllegalArgumentException | ArithmeticException | ShapeException e) {
      throw errorAt(position, String.valueOf(e.getMessage()));
    }
  }

  GraphTextException error(String reason) {
    skipSpace();
    String found = at == text.length() ? "the end" : "'" + text.charAt(at) + "'";
    return errorAt(at, reason + ", found " + found);
  }

  GraphTextException errorAt(int position, String reason) {
    String before = text.substring(0, position);
    int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
    return new GraphTextException(line, position - before.lastIndexOf('\n'), reason);
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private static boolean isWord(int c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
