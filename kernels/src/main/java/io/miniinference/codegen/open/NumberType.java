package io.miniinference.codegen.open;

import java.util.List;
import java.util.Optional;

/// The type of a number in kernel text, which a variable in its place must have, too: it decides
/// the type of the expression around it.
enum NumberType {
  INT("int", "", "(int)%s"),
  UINT("uint", "u", "(uint)%s"),
  LONG("long", "L", "(long)%s"),
  ULONG("ulong", "UL", "%s"),
  FLOAT("float", "f", "@floatOf((uint)%s)");

  private static final List<NumberType> ALL = List.of(values());

  private final String name;
  private final String suffix;
  private final String conversion;

  NumberType(String name, String suffix, String conversion) {
    this.name = name;
    this.suffix = suffix;
    this.conversion = conversion;
  }

  /// The character that stands for a number of this type in a [NumberedText.Skeleton]: a control
  /// character, which no text of ours has.
  char mark() {
    return (char) (1 + ordinal());
  }

  /// The type whose mark a character is, if it is one.
  static Optional<NumberType> marked(int character) {
    return character < 1 || character > ALL.size()
        ? Optional.empty()
        : Optional.of(ALL.get(character - 1));
  }

  /// @throws IllegalArgumentException if the text has a mark
  static void requireUnmarked(String text) {
    for (NumberType type : ALL) {
      if (text.indexOf(type.mark()) >= 0) {
        throw new IllegalArgumentException("kernel text has the character " + (int) type.mark());
      }
    }
  }

  /// Statement that declares a variable of the value that an argument passes.
  String declaration(String variable, String argument) {
    return "const %s %s = %s;".formatted(name, variable, conversion.formatted(argument));
  }

  /// The text of a number.
  ///
  /// @param bits the value, or the bits of a float
  String text(long bits) {
    return (this == FLOAT
            ? Float.toString(Float.intBitsToFloat((int) bits))
            : Long.toUnsignedString(bits))
        + suffix;
  }

  /// A number as it is written.
  ///
  /// @param bits the value, or the bits of a float
  record Literal(NumberType type, long bits) {}

  /// The number that stands in `text` from `start` to `end`; empty for one that must stay as it is.
  static Optional<Literal> read(String text, int start, int end) {
    int digits = start;
    while (digits < end && Numbers.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits > start && isSuffix(text, digits, end)) {
      return whole(text, start, digits, text.substring(digits, end));
    }
    boolean isFloat = text.charAt(end - 1) == 'f' && !text.startsWith("0x", start);
    return isFloat
        ? Optional.of(
            new Literal(
                FLOAT, Float.floatToRawIntBits(Float.parseFloat(text.substring(start, end)))))
        : Optional.empty();
  }

  /* Letters that tell the type of a whole number. */
  private static boolean isSuffix(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if ("uUlL".indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  private static Optional<Literal> whole(String text, int start, int end, String suffix) {
    if (end - start > 18 || (end - start > 1 && text.charAt(start) == '0')) {
      return Optional.empty();
    }
    long value = Long.parseLong(text, start, end, 10);
    boolean isInt = value <= Integer.MAX_VALUE;
    return switch (suffix) {
      case "" -> Optional.of(new Literal(isInt ? INT : LONG, value));
      case "u" -> isInt ? Optional.of(new Literal(UINT, value)) : Optional.empty();
      case "L" -> Optional.of(new Literal(LONG, value));
      case "UL" -> Optional.of(new Literal(ULONG, value));
      default -> Optional.empty();
    };
  }
}
