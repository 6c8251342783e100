package io.miniinference.codegen.open;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A kernel's text as what is between its numbers, and those numbers. Numbers that the language
/// wants to be constants (the size of an array, those of the preprocessor) are no numbers here, but
/// a part of the text between.
///
/// @param numbers values; the bits of a float
record NumberedText(Skeleton skeleton, List<Long> numbers) {
  NumberedText {
    numbers = List.copyOf(numbers);
  }

  /// What two texts have in common that differ in numbers alone.
  ///
  /// @param head what must be equal besides
  /// @param text with the [NumberType#mark] of a number's type in its place
  record Skeleton(String head, String text) {

    /// The types of the numbers.
    List<NumberType> types() {
      return text.chars().mapToObj(NumberType::marked).flatMap(Optional::stream).toList();
    }
  }

  /// @throws IllegalArgumentException if the text has a character that marks numbers
  static NumberedText of(String head, String text) {
    NumberType.requireUnmarked(text);
    Numbers numbers = new Numbers(text);
    StringBuilder skeleton = new StringBuilder(text.length());
    List<Long> values = new ArrayList<>();
    int from = 0;
    while (numbers.next()) {
      Optional<NumberType.Literal> literal = NumberType.read(text, numbers.start(), numbers.end());
      if (literal.isPresent()) {
        skeleton.append(text, from, numbers.start()).append(literal.get().type().mark());
        values.add(literal.get().bits());
        from = numbers.end();
      }
    }
    skeleton.append(text, from, text.length());
    return new NumberedText(new Skeleton(head, skeleton.toString()), values);
  }
}
