package io.miniinference.codegen.open;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A kernel's text as what is between its numbers, and those numbers. Numbers that the language
/// wants to be constants (the size of an array, those of the preprocessor) are no numbers here, but
/// a part of the text between.
///
/// @param head what must be equal besides
/// @param parts texts between the numbers, one more than there are
/// @param types of the numbers
/// @param numbers values; the bits of a float
record NumberedText(String head, List<String> parts, List<NumberType> types, List<Long> numbers) {
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
    Numbers numbers = new Numbers(text);
    List<String> parts = new ArrayList<>();
    List<NumberType> types = new ArrayList<>();
    List<Long> values = new ArrayList<>();
    int from = 0;
    while (numbers.next()) {
      Optional<NumberType> type = NumberType.of(numbers.literal());
      if (type.isPresent()) {
        parts.add(text.substring(from, numbers.start()));
        types.add(type.get());
        values.add(type.get().bits(numbers.literal()));
        from = numbers.end();
      }
    }
    parts.add(text.substring(from));
    return new NumberedText(head, parts, types, values);
  }
}
