package io.miniinference.codegen;

import java.util.ArrayList;
import java.util.List;

/// Spells the words of kernel text in a dialect.
public final class Speller {
  private final String text;
  private final Dialect dialect;
  private int at;

  private Speller(String text, Dialect dialect) {
    this.text = text;
    this.dialect = dialect;
  }

  /// @throws IllegalStateException if the text has an `@` that starts no word, or a word without
  ///   its arguments
  public static String spell(String text, Dialect dialect) {
    return text.indexOf('@') < 0 ? text : new Speller(text, dialect).spell();
  }

  private String spell() {
    StringBuilder out = new StringBuilder();
    while (at < text.length()) {
      int next = text.indexOf('@', at);
      int end = next < 0 ? text.length() : next;
      out.append(text, at, end);
      at = end;
      if (next >= 0) {
        out.append(word());
      }
    }
    return out.toString();
  }

  private String word() {
    int start = ++at;
    while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
      at++;
    }
    Word word = Word.of(text.substring(start, at));
    return dialect.spell(word, word.arguments() == 0 ? List.of() : arguments(word));
  }

  /* Arguments are parted by commas outside parentheses and brackets. */
  private List<String> arguments(Word word) {
    List<String> found = new ArrayList<>();
    int depth = 0;
    int from = at + 1;
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (depth == 0 || (depth == 1 && c == ',')) {
        found.add(spell(text.substring(Math.min(from, at), at).strip(), dialect));
        from = at + 1;
      }
      if (depth == 0) {
        break;
      }
    }
    if (depth != 0 || found.size() != word.arguments()) {
      throw new IllegalStateException(
          "'@%s' takes %d arguments and has %s"
              .formatted(word.spelling(), word.arguments(), found));
    }
    at++;
    return found;
  }
}
