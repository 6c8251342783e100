package io.miniinference.codegen.open;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A kernel's text for all sizes: numbers that are the same for all shapes seen stay as they are,
/// the others come with the launch. Numbers that were equal to each other in each shape are one
/// argument.
///
/// A text whose numbers it admits is this text with arguments for names, whatever they were made
/// of: what is fixed here is as it is there, and what is equal here is equal there. So nothing is
/// ever taken for a size by guess; a text that does not fit is another kernel.
///
/// @param skeleton what is between the numbers
/// @param fixed numbers, of which those that come with the launch are those of one shape
/// @param names per number which argument it is, −1 if it is fixed
record OpenText(NumberedText.Skeleton skeleton, List<Long> fixed, List<Integer> names) {
  private static final int FIXED = -1;

  OpenText {
    fixed = List.copyOf(fixed);
    names = List.copyOf(names);
  }

  /// The text of one shape, all of whose numbers are fixed.
  static OpenText of(NumberedText text) {
    return new OpenText(
        text.skeleton(), text.numbers(), text.numbers().stream().map(_ -> FIXED).toList());
  }

  /// Number of arguments.
  int arguments() {
    int most = FIXED;
    for (int name : names) {
      most = Math.max(most, name);
    }
    return most + 1;
  }

  /// Whether a text of the same skeleton with these numbers is this text with some arguments.
  boolean admits(List<Long> numbers) {
    Long[] values = new Long[arguments()];
    for (int i = 0; i < names.size(); i++) {
      int name = names.get(i);
      Long number = numbers.get(i);
      Long expected = name == FIXED ? fixed.get(i) : values[name];
      if (expected != null && !expected.equals(number)) {
        return false;
      }
      if (name != FIXED) {
        values[name] = number;
      }
    }
    return true;
  }

  /// The arguments with which it is a text of these numbers, which it admits.
  List<Long> values(List<Long> numbers) {
    Long[] values = new Long[arguments()];
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i) != FIXED) {
        values[names.get(i)] = numbers.get(i);
      }
    }
    return List.of(values);
  }

  /// The text that admits what this one does, and these numbers of another shape, too.
  OpenText with(List<Long> numbers) {
    if (admits(numbers)) {
      return this;
    }
    List<NumberType> types = skeleton.types();
    Map<Equal, Integer> classes = new HashMap<>();
    List<Integer> merged = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      boolean same = names.get(i) == FIXED && fixed.get(i).equals(numbers.get(i));
      Equal equal = new Equal(types.get(i), names.get(i), fixed.get(i), numbers.get(i));
      merged.add(same ? FIXED : classes.computeIfAbsent(equal, _ -> classes.size()));
    }
    return new OpenText(skeleton, fixed, merged);
  }

  /* Numbers that were equal to each other in all shapes so far. */
  private record Equal(NumberType type, int name, long before, long now) {}

  /// The text, with the names of its arguments in their places.
  String body() {
    StringBuilder body = new StringBuilder();
    int number = 0;
    for (int i = 0; i < skeleton.text().length(); i++) {
      char c = skeleton.text().charAt(i);
      Optional<NumberType> type = NumberType.marked(c);
      if (type.isPresent()) {
        body.append(number(type.get(), number++));
      } else {
        body.append(c);
      }
    }
    return body.toString();
  }

  private String number(NumberType type, int index) {
    int name = names.get(index);
    return name == FIXED ? type.text(fixed.get(index)) : "size" + name;
  }

  /// Statements that declare those names.
  ///
  /// @param first number of the first argument among the kernel's offsets
  String declarations(int first) {
    List<NumberType> all = skeleton.types();
    NumberType[] types = new NumberType[arguments()];
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i) != FIXED) {
        types[names.get(i)] = all.get(i);
      }
    }
    return IntStream.range(0, types.length)
        .mapToObj(i -> "  " + types[i].declaration("size" + i, "o" + (first + i)) + "\n")
        .collect(Collectors.joining());
  }

  @Override
  public String toString() {
    return Arrays.toString(names.toArray()) + "\n" + body();
  }
}
