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

  /// The type of a number as it is written; empty for one that must stay as it is.
  static Optional<NumberType> of(String literal) {
    String digits = digits(literal);
    if (isWhole(digits)) {
      return whole(digits, literal.substring(digits.length()));
    }
    return literal.endsWith("f") && !literal.startsWith("0x")
        ? Optional.of(FLOAT)
        : Optional.empty();
  }

  /* Without the letters that tell the type of a whole number. */
  private static String digits(String literal) {
    int end = literal.length();
    while (end > 0 && "uUlL".indexOf(literal.charAt(end - 1)) >= 0) {
      end--;
    }
    return literal.substring(0, end);
  }

  private static boolean isWhole(String digits) {
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
        return false;
      }
    }
    return !digits.isEmpty();
  }

  private static Optional<NumberType> whole(String digits, String suffix) {
    if (digits.length() > 18 || (digits.length() > 1 && digits.startsWith("0"))) {
      return Optional.empty();
    }
    boolean isInt = Long.parseLong(digits) <= Integer.MAX_VALUE;
    return switch (suffix) {
      case "" -> Optional.of(isInt ? INT : LONG);
      case "u" -> isInt ? Optional.of(UINT) : Optional.empty();
      case "L" -> Optional.of(LONG);
      case "UL" -> Optional.of(ULONG);
      default -> Optional.empty();
    };
  }

  /// The value of a number of this type, the bits of a float.
  long bits(String literal) {
    return this == FLOAT
        ? Float.floatToRawIntBits(Float.parseFloat(literal))
        : Long.parseLong(digits(literal));
  }
}
