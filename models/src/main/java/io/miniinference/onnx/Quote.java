package io.miniinference.onnx;

/// Names from a model, made fit for a message: quoted, on one line, of bounded length.
public final class Quote {
  private static final int LONGEST = 120;

  private Quote() {}

  /// The name in single quotes, control characters as `\\uXXXX`, shortened past 120 characters.
  public static String of(String name) {
    if (isPlain(name)) {
      return "'" + name + "'";
    }
    var text = new StringBuilder("'");
    name.chars().limit(LONGEST).forEach(unit -> append(text, (char) unit));
    return text.append(name.length() > LONGEST ? "…'" : "'").toString();
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < Math.min(name.length(), LONGEST); i++) {
      if (isEscaped(name.charAt(i))) {
        return false;
      }
    }
    return name.length() <= LONGEST;
  }

  private static boolean isEscaped(char unit) {
    return Character.isISOControl(unit) || Character.isSurrogate(unit) || unit == '\u2028';
  }

  private static void append(StringBuilder text, char unit) {
    if (isEscaped(unit)) {
      text.append(String.format("\\u%04x", (int) unit));
    } else {
      text.append(unit);
    }
  }
}
