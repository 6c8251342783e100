package io.miniinference.spring.ai;

import io.miniinference.ir.Tensor;
import java.util.Arrays;
import java.util.List;

/// The tokens of several texts as rows of one length.
///
/// @param lengths tokens of each text
/// @param width of a row; what is behind a text is zero
record TokenBatch(List<long[]> rows, int[] lengths, int width) {

  private static final int FEWEST = 8;

  /// How long rows of a model may be.
  ///
  /// @param most the same as the least where the model fixes it
  record Limits(int least, int most) {
    static Limits fixed(long length) {
      return new Limits(Math.toIntExact(length), Math.toIntExact(length));
    }

    static Limits upTo(long most) {
      int limit = Math.clamp(most, 1, Integer.MAX_VALUE);
      return new Limits(Math.min(FEWEST, limit), limit);
    }
  }

  /// Rows of the longest text's length, rounded up within the limits so that few lengths come up.
  ///
  /// @param first number of the first text among all of the request, as messages count them
  /// @throws IllegalArgumentException if a text has no token, or more than a row
  static TokenBatch of(List<long[]> texts, int first, Limits limits) {
    int[] lengths = texts.stream().mapToInt(tokens -> tokens.length).toArray();
    for (int text = 0; text < lengths.length; text++) {
      requireWithin(limits, first + text, lengths[text]);
    }
    int longest = Arrays.stream(lengths).max().orElse(0);
    int width = Math.clamp(roundedUp(longest), limits.least, limits.most);
    return new TokenBatch(texts, lengths, width);
  }

  private static void requireWithin(Limits limits, int text, int length) {
    if (length < 1) {
      throw new IllegalArgumentException(
          "text %d has 0 tokens (the first is text 0), and the model takes at least 1: leave it out"
              .formatted(text));
    }
    if (length > limits.most) {
      throw new IllegalArgumentException(
          "text %d has %d tokens (the first is text 0), and the model takes from 1 to %d: split it, or have the tokenizer cut it"
              .formatted(text, length, limits.most));
    }
  }

  /* A model is planned for each length that comes: those of powers of two are few. */
  private static long roundedUp(int length) {
    return length <= FEWEST ? FEWEST : Integer.highestOneBit(length - 1) * 2L;
  }

  Tensor tokens() {
    long[] all = new long[rows.size() * width];
    for (int row = 0; row < rows.size(); row++) {
      System.arraycopy(rows.get(row), 0, all, row * width, lengths[row]);
    }
    return tensor(all);
  }

  /// 1 where there is a token.
  Tensor mask() {
    long[] all = new long[rows.size() * width];
    for (int row = 0; row < rows.size(); row++) {
      Arrays.fill(all, row * width, row * width + lengths[row], 1);
    }
    return tensor(all);
  }

  /// The same everywhere.
  Tensor zeros() {
    return tensor(new long[rows.size() * width]);
  }

  private Tensor tensor(long[] elements) {
    return Tensor.of(elements, rows.size(), width);
  }
}
