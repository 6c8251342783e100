package io.miniinference.runtime.specialise;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The name of an open size that says how it follows from others, as exporters write them:
/// `past_length + length`, `s0 + 1`, `2*frames`, `(width + 1)//2`. Knows whole numbers, names,
/// parentheses, `+`, `-`, `*`, and `//` or `/`, which round down.
final class SizeExpression {
  /// A longer name is a name: parentheses are read by recursion.
  private static final int LONGEST = 256;

  /// A size from which exporters' constants may be taken.
  private static final long ANY = 4_096;

  private final String text;
  private final Map<String, Long> sizes;
  private int at;

  private SizeExpression(String text, Map<String, Long> sizes) {
    this.text = text;
    this.sizes = sizes;
  }

  /// Whether a name is an expression of names that are among others.
  static boolean follows(String name, Set<String> others) {
    Map<String, Long> sizes = new HashMap<>();
    others.stream().filter(other -> !other.equals(name)).forEach(other -> sizes.put(other, ANY));
    return value(name, sizes).isPresent();
  }

  /// What a name says, with these sizes; empty for one that is no expression of them, or whose
  /// value is no size.
  static Optional<Long> value(String name, Map<String, Long> sizes) {
    if (name.length() > LONGEST) {
      return Optional.empty();
    }
    SizeExpression expression = new SizeExpression(name, sizes);
    try {
      long value = expression.sum();
      return expression.isAtEnd() && value >= 0 ? Optional.of(value) : Optional.empty();
    } catch (IllegalArgumentException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  private long sum() {
    long value = product();
    while (true) {
      if (isNext("+")) {
        value = Math.addExact(value, product());
      } else if (isNext("-")) {
        value = Math.subtractExact(value, product());
      } else {
        return value;
      }
    }
  }

  private long product() {
    long value = factor();
    while (true) {
      if (isNext("*")) {
        value = Math.multiplyExact(value, factor());
      } else if (isNext("//") || isNext("/")) {
        value = Math.floorDiv(value, factor());
      } else {
        return value;
      }
    }
  }

  private long factor() {
    if (isNext("(")) {
      long value = sum();
      if (!isNext(")")) {
        throw new IllegalArgumentException(text);
      }
      return value;
    }
    String word = word();
    Long size = sizes.get(word);
    return size == null ? Long.parseLong(word) : size;
  }

  private String word() {
    isAtEnd();
    int start = at;
    while (at < text.length() && isOfWord(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.';
  }

  private boolean isNext(String sign) {
    isAtEnd();
    boolean isNext = text.startsWith(sign, at);
    at += isNext ? sign.length() : 0;
    return isNext;
  }

  /* Behind spaces. */
  private boolean isAtEnd() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    return at == text.length();
  }
}
