package io.miniinference.runtime.strings;

import java.util.ArrayDeque;
import java.util.Deque;

/// How large a regular expression is once its counted repetitions are written out, which a compiler
/// does: `((a{1000}){1000})` is short and takes a million steps.
///
/// It never says less than there is: what it does not know of the syntax counts as characters.
final class PatternSize {
  private final String pattern;
  private final Deque<Long> around = new ArrayDeque<>();
  private int at;
  private int depth;

  /// Of the group that is open.
  private long sum;

  /// Of what a repetition would repeat.
  private long last;

  private PatternSize(String pattern) {
    this.pattern = pattern;
  }

  static PatternSize measured(String pattern) {
    var size = new PatternSize(pattern);
    while (size.at < pattern.length()) {
      size.next();
    }
    while (!size.around.isEmpty()) {
      size.close();
    }
    return size;
  }

  /// At most [Long#MAX_VALUE].
  long characters() {
    return sum;
  }

  /// How many groups are open at once at most.
  int depth() {
    return depth;
  }

  private void next() {
    char c = pattern.charAt(at++);
    switch (c) {
      case '(' -> {
        around.push(sum);
        depth = Math.max(depth, around.size());
        sum = 0;
        last = 0;
      }
      case ')' -> close();
      case '[' -> item(characterClass());
      case '\\' -> item(escape());
      case '{' -> repetition();
      default -> item(1);
    }
  }

  private void item(long size) {
    last = size;
    sum = plus(sum, size);
  }

  private void close() {
    long group = plus(sum, 2);
    sum = around.isEmpty() ? 0 : around.pop();
    item(group);
  }

  private static long plus(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  /* Its text, which is one step. */
  private long characterClass() {
    int end = at;
    boolean first = true;
    while (end < pattern.length() && (first || pattern.charAt(end) != ']')) {
      first = first && pattern.charAt(end) == '^';
      end += pattern.charAt(end) == '\\' ? 2 : 1;
    }
    return skipTo(Math.min(end + 1, pattern.length()));
  }

  private long skipTo(int end) {
    long skipped = end - at + 1L;
    at = end;
    return skipped;
  }

  /* `\Q…\E` is characters, whatever they are. */
  private long escape() {
    if (pattern.startsWith("Q", at)) {
      int end = pattern.indexOf("\\E", at);
      return skipTo(end < 0 ? pattern.length() : end + 2);
    }
    boolean isNamed =
        pattern.startsWith("{", at + 1)
            && "pPx".indexOf(pattern.charAt(at)) >= 0
            && pattern.indexOf('}', at) > 0;
    return skipTo(isNamed ? pattern.indexOf('}', at) + 1 : Math.min(at + 1, pattern.length()));
  }

  /* `{n}`, `{n,}` or `{n,m}` behind an item; anything else is characters. */
  private void repetition() {
    int end = at;
    long largest = 0;
    long number = 0;
    while (end < pattern.length() && isCount(pattern.charAt(end))) {
      char c = pattern.charAt(end++);
      number = c == ',' ? 0 : Math.min(number * 10 + (c - '0'), Integer.MAX_VALUE);
      largest = Math.max(largest, number);
    }
    if (end == at || end == pattern.length() || pattern.charAt(end) != '}') {
      item(1);
      return;
    }
    at = end + 1;
    long times = largest + 1;
    long repeated = last > Long.MAX_VALUE / times ? Long.MAX_VALUE : last * times;
    sum = plus(sum, repeated);
    last = repeated;
  }

  private static boolean isCount(char c) {
    return c == ',' || (c >= '0' && c <= '9');
  }
}
