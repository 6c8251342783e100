package io.miniinference.service.settings;

import io.miniinference.service.config.SettingsException;
import io.miniinference.service.settings.TextMessage.Nested;
import io.miniinference.service.settings.TextMessage.Scalar;
import io.miniinference.service.settings.TextMessage.Value;

/// Reads protobuf's text form (protobuf.dev, "Text Format Language Specification"): fields, nested
/// messages in braces or angles, lists, texts in either quotes, comments.
final class TextMessageReader {
  private final String file;
  private final String text;
  private int at;

  private TextMessageReader(String file, String text) {
    this.file = file;
    this.text = text;
  }

  /// Reads a text whose length is bounded.
  ///
  /// @throws SettingsException with the line of what is wrong
  static TextMessage read(String file, String text) {
    var reader = new TextMessageReader(file, text);
    TextMessage message = reader.fields('\0', 0);
    reader.skipSpace();
    if (reader.at < text.length()) {
      throw reader.wrong("a field");
    }
    return message;
  }

  private TextMessage fields(char end, int depth) {
    if (depth > TextMessage.DEEPEST) {
      throw wrong("at most " + TextMessage.DEEPEST + " messages within each other");
    }
    var message = new TextMessage();
    while (!isAt(end) && !isOver()) {
      String name = isAt('[') ? extension() : word("the name of a field");
      boolean colon = take(':');
      values(message, name, colon, depth);
      if (!take(',')) {
        take(';');
      }
    }
    return message;
  }

  private void values(TextMessage message, String name, boolean colon, int depth) {
    if (!take('[')) {
      message.add(name, value(colon, depth));
      return;
    }
    while (!take(']')) {
      message.add(name, value(colon, depth));
      if (!take(',') && !isAt(']')) {
        throw wrong("',' or ']'");
      }
    }
  }

  private Value value(boolean colon, int depth) {
    if (take('{')) {
      return nested('}', depth);
    }
    if (take('<')) {
      return nested('>', depth);
    }
    if (!colon) {
      throw wrong("':'");
    }
    return isAt('"') || isAt('\'') ? new Scalar(quoted(), true) : new Scalar(word("a value"));
  }

  private Nested nested(char end, int depth) {
    TextMessage message = fields(end, depth + 1);
    if (!take(end)) {
      throw wrong("'" + end + "'");
    }
    return new Nested(message);
  }

  private String extension() {
    int close = text.indexOf(']', at);
    if (close < 0) {
      throw wrong("']'");
    }
    String name = text.substring(at, close + 1);
    at = close + 1;
    return name;
  }

  private String word(String what) {
    skipSpace();
    int start = at;
    while (at < text.length() && isOfWord(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw wrong(what);
    }
    return text.substring(start, at);
  }

  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '-' || c == '+';
  }

  /* Texts that follow each other are one. */
  private String quoted() {
    var all = new StringBuilder();
    while (isAt('"') || isAt('\'')) {
      char quote = text.charAt(at++);
      while (at < text.length() && text.charAt(at) != quote) {
        all.append(character());
      }
      if (at == text.length()) {
        throw wrong("the end of a text");
      }
      at++;
    }
    return all.toString();
  }

  private char character() {
    char c = text.charAt(at++);
    if (c == '\n') {
      throw wrong("a text that ends on its line");
    }
    if (c != '\\' || at == text.length()) {
      return c;
    }
    char escaped = text.charAt(at++);
    return switch (escaped) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case '\\', '"', '\'', '?' -> escaped;
      default -> throw wrong("one of the escapes \\n \\t \\r \\\\ \\\" \\'");
    };
  }

  private boolean isOver() {
    skipSpace();
    return at == text.length();
  }

  private boolean isAt(char c) {
    skipSpace();
    return at < text.length() && text.charAt(at) == c;
  }

  private boolean take(char c) {
    boolean is = isAt(c);
    at += is ? 1 : 0;
    return is;
  }

  private void skipSpace() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (Character.isWhitespace(c)) {
        at++;
      } else {
        return;
      }
    }
  }

  private SettingsException wrong(String wanted) {
    long line = text.substring(0, Math.min(at, text.length())).lines().count();
    String found = at < text.length() ? "'" + text.charAt(at) + "'" : "its end";
    return new SettingsException(
        "%s, line %d: %s where %s was to be".formatted(file, Math.max(1, line), found, wanted));
  }
}
