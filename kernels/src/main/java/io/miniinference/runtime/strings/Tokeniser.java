package io.miniinference.runtime.strings;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Cuts a text into tokens, as ONNX Runtime's
/// [Tokenizer](https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.Tokenizer)
/// does.
///
/// @param marks whether a token stands ahead of all tokens of a text, and one behind them
/// @param pad what follows the tokens of shorter texts
/// @param isRounded whether more pads may follow than the longest text asks for
record Tokeniser(Cut cut, boolean marks, String pad, boolean isRounded) {
  /// The fewest places for tokens, where pads may follow.
  private static final int FEWEST = 16;

  static final String START = "\u0002";
  static final String END = "\u0003";

  Tokeniser rounded() {
    return new Tokeniser(cut, marks, pad, true);
  }

  /// For how many tokens there is place, where the longest text has so many: a power of two, where
  /// pads may follow.
  int places(int most) {
    return isRounded ? Math.max(FEWEST, Integer.highestOneBit(Math.max(1, most - 1)) << 1) : most;
  }

  /// How a text is cut.
  sealed interface Cut {
    /// The tokens of a text, in their order.
    ///
    /// @param budget of which each look at a character takes steps
    void tokens(String text, HostBudget budget, Consumer<String> to);
  }

  /// Each character, which is a code point of Unicode, is a token.
  record Characters() implements Cut {
    @Override
    public void tokens(String text, HostBudget budget, Consumer<String> to) {
      budget.steps(text.length(), 1);
      text.codePoints().mapToObj(Character::toString).forEach(to);
    }
  }

  /// What a pattern matches is a token.
  ///
  /// @param least characters of a token; shorter ones are left out
  record Matching(Pattern pattern, long least) implements Cut {
    @Override
    public void tokens(String text, HostBudget budget, Consumer<String> to) {
      matches(pattern, text, budget, (from, end) -> accept(text.substring(from, end), least, to));
    }
  }

  /// What lies between the matches of separators is a token, of the first separator's what lies
  /// between those of the second, and so on.
  ///
  /// @param least characters of a token; shorter ones are left out
  record Between(List<Pattern> separators, long least) implements Cut {
    public Between {
      separators = List.copyOf(separators);
    }

    @Override
    public void tokens(String text, HostBudget budget, Consumer<String> to) {
      List<String> parts = List.of(text);
      for (Pattern separator : separators) {
        List<String> finer = new ArrayList<>();
        parts.forEach(part -> cut(part, separator, budget, finer::add));
        parts = finer;
      }
      parts.forEach(to);
    }

    private void cut(String part, Pattern separator, HostBudget budget, Consumer<String> to) {
      int[] begin = {0};
      matches(
          separator,
          part,
          budget,
          (from, end) -> {
            accept(part.substring(Math.min(begin[0], from), from), least, to);
            begin[0] = behind(part, from, end);
          });
      accept(part.substring(Math.min(begin[0], part.length())), least, to);
    }
  }

  /// A place in a text.
  @FunctionalInterface
  private interface Place {
    void accept(int from, int end);
  }

  private static void accept(String token, long least, Consumer<String> to) {
    if (token.codePointCount(0, token.length()) >= least) {
      to.accept(token);
    }
  }

  /* One behind the other. A match of nothing is behind the character at its place. */
  private static void matches(Pattern pattern, String text, HostBudget budget, Place to) {
    Matcher matcher = pattern.matcher(new ChargedText(text, budget, pattern.programSize()));
    int at = 0;
    while (at <= text.length() && matcher.find(at)) {
      to.accept(matcher.start(), matcher.end());
      at = behind(text, matcher.start(), matcher.end());
    }
  }

  private static int behind(String text, int from, int end) {
    if (end > from) {
      return end;
    }
    return end + (end < text.length() ? Character.charCount(text.codePointAt(end)) : 1);
  }

  /// A text of which each look at a character is paid for: a pattern may look at some of them for
  /// each of its matches.
  private record ChargedText(String text, HostBudget budget, long each) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int at) {
      budget.steps(1, each);
      return text.charAt(at);
    }

    @Override
    public CharSequence subSequence(int from, int end) {
      return text.substring(from, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
