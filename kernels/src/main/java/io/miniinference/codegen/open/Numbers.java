package io.miniinference.codegen.open;

/// The numbers of kernel text, one after the other. None are those of which the language wants that
/// they are constants: in a word of the dialect the first argument, in the declaration of an array
/// its size, and what is in a line of the preprocessor; nor those in comments and names.
final class Numbers {
  private final String text;
  private int start;
  private int end;

  Numbers(String text) {
    this.text = text;
  }

  /// Goes to the next number, if there is one.
  boolean next() {
    int at = end;
    while (at < text.length()) {
      int behind = behindOther(at);
      if (behind == at) {
        start = at;
        end = behindNumber(at);
        return true;
      }
      at = behind;
    }
    return false;
  }

  /// Where the number begins.
  int start() {
    return start;
  }

  /// Behind the number.
  int end() {
    return end;
  }

  /* Behind what is here, or here if that is a number. */
  private int behindOther(int at) {
    char c = text.charAt(at);
    if (isLetter(c) || c == '@') {
      return behindWord(at);
    }
    if ((c == '#' && isFirstOfLine(at)) || (c == '/' && at(at + 1) == '/')) {
      int line = text.indexOf('\n', at);
      return line < 0 ? text.length() : line;
    }
    return isDigit(c) || (c == '.' && isDigit(at(at + 1))) ? at : at + 1;
  }

  private boolean isFirstOfLine(int at) {
    int before = at - 1;
    while (before >= 0 && text.charAt(before) != '\n' && text.charAt(before) <= ' ') {
      before--;
    }
    return before < 0 || text.charAt(before) == '\n';
  }

  private int behindWord(int at) {
    int end = behindName(at + 1);
    if (at(at) == '@' && at(end) == '(' && isDigit(at(behindSpace(end + 1)))) {
      return behindDigits(behindSpace(end + 1));
    }
    int name = behindSpace(end);
    if (name > end && isLetter(at(name)) && at(behindName(name)) == '[') {
      return behindBrackets(behindName(name));
    }
    return end;
  }

  private int behindBrackets(int at) {
    int behind = at;
    while (at(behind) == '[') {
      int close = text.indexOf(']', behind);
      behind = close < 0 ? text.length() : close + 1;
    }
    return behind;
  }

  /* Digits, a point and digits, an exponent, and letters that tell the type. */
  private int behindNumber(int at) {
    if (at(at) == '0' && (at(at + 1) | ' ') == 'x') {
      return behindName(at + 2);
    }
    int behind = behindDigits(at);
    if (at(behind) == '.') {
      behind = behindDigits(behind + 1);
    }
    boolean isSigned = at(behind + 1) == '+' || at(behind + 1) == '-';
    int exponent = behind + (isSigned ? 2 : 1);
    if ((at(behind) | ' ') == 'e' && isDigit(at(exponent))) {
      behind = behindDigits(exponent);
    }
    while (isLetter(at(behind)) && at(behind) != '_') {
      behind++;
    }
    return behind;
  }

  private int behindName(int at) {
    int behind = at;
    while (isLetter(at(behind)) || isDigit(at(behind))) {
      behind++;
    }
    return behind;
  }

  private int behindDigits(int at) {
    int behind = at;
    while (isDigit(at(behind))) {
      behind++;
    }
    return behind;
  }

  private int behindSpace(int at) {
    int behind = at;
    while (behind < text.length() && text.charAt(behind) <= ' ') {
      behind++;
    }
    return behind;
  }

  /* 0 behind the end. */
  private char at(int index) {
    return index < text.length() ? text.charAt(index) : 0;
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
