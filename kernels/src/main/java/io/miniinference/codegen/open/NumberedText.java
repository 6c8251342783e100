package io.miniinference.codegen.open;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A kernel's text as what is between its numbers, and those numbers. Numbers that the language
/// wants to be constants (the size of an array, those of the preprocessor) are no numbers here, but
/// a part of the text between.
///
/// @param head what must be equal besides
/// @param parts texts between the numbers, one more than there are
/// @param types of the numbers
/// @param numbers values; the bits of a float
record NumberedText(String head, List<String> parts, List<NumberType> types, List<Long> numbers) {
  /* A word of the dialect with what must be a constant among its arguments; a declaration of an
  array; a line of the preprocessor; a word; a number. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<constant>@[A-Za-z]+\\(\\s*\\d+"
              + "|[A-Za-z_@]\\w*\\s+[A-Za-z_]\\w*(?:\\[[^\\]]*\\])+"
              + "|(?m:^\\s*#.*$)"
              + "|//.*"
              + "|@?[A-Za-z_]\\w*)"
              + "|(?<number>0[xX][0-9a-fA-F]+[uUlL]*"
              + "|(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?[a-zA-Z]*)");

  NumberedText {
    parts = List.copyOf(parts);
    types = List.copyOf(types);
    numbers = List.copyOf(numbers);
  }

  /// What two texts have in common that differ in numbers alone.
  record Skeleton(String head, List<String> parts, List<NumberType> types) {}

  Skeleton skeleton() {
    return new Skeleton(head, parts, types);
  }

  static NumberedText of(String head, String text) {
    List<String> parts = new ArrayList<>();
    List<NumberType> types = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    Matcher tokens = TOKEN.matcher(text);
    int from = 0;
    while (tokens.find()) {
      String literal = tokens.group("number");
      Optional<NumberType> type = literal == null ? Optional.empty() : NumberType.of(literal);
      if (type.isPresent()) {
        parts.add(text.substring(from, tokens.start()));
        types.add(type.get());
        numbers.add(type.get().bits(literal));
        from = tokens.end();
      }
    }
    parts.add(text.substring(from));
    return new NumberedText(head, parts, types, numbers);
  }
}
