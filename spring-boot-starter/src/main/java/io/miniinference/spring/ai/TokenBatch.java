package io.miniinference.spring.ai;

import io.miniinference.ir.Tensor;
import java.util.Arrays;
import java.util.List;

/// The tokens of several texts as rows of one length.
///
/// @param lengths tokens of each text
/// @param width of a row; what is behind a text is zero
record TokenBatch(List<long[]> rows, int[] lengths, int width) {

  /// Rows of the longest text's length, rounded up so that few lengths come up, or of that which
  /// the model wants.
  ///
  /// @param fixed length of the model's rows, not positive for any
  static TokenBatch of(List<long[]> texts, long fixed) {
    int[] lengths = texts.stream().mapToInt(tokens -> tokens.length).toArray();
    int longest = Arrays.stream(lengths).max().orElse(0);
    int width = fixed > 0 ? Math.toIntExact(fixed) : roundedUp(longest);
    if (longest > width || Arrays.stream(lengths).anyMatch(length -> length == 0)) {
      throw new IllegalArgumentException(
          "a text has %s tokens, and the model takes from 1 to %d: split it, or have the tokenizer cut it"
              .formatted(longest > width ? longest : 0, width));
    }
    return new TokenBatch(texts, lengths, width);
  }

  /* A model is planned for each length that comes: those of powers of two are few. */
  private static int roundedUp(int length) {
    return length <= 8 ? 8 : Math.multiplyExact(Integer.highestOneBit(length - 1), 2);
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
