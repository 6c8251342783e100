package io.miniinference.runtime.strings;

import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.strings.StringTable;
import java.util.Arrays;

/// What the host may do for the strings of one request: steps of work and elements that it makes,
/// over all nodes. Work stops when the request's deadline has passed.
///
/// For one thread.
final class HostBudget {
  /// Most steps: bytes read and written, and for each byte that a pattern reads the pattern's size.
  /// They take about a second.
  static final long MOST_STEPS = 1L << 28;

  /// Most elements of all that nodes make.
  private static final long MOST_ELEMENTS = 1 << 24;

  /// Steps between looks at the clock.
  private static final long STEPS_AT_ONCE = 1 << 20;

  private final long deadlineNanos;
  private long steps = MOST_STEPS;
  private long nextLook = MOST_STEPS;
  private long elements = MOST_ELEMENTS;

  /// @param deadlineNanos in the time of [System#nanoTime], or [InferenceRequest#NO_DEADLINE]
  HostBudget(long deadlineNanos) {
    this.deadlineNanos = deadlineNanos;
  }

  /// Takes some steps before they are done.
  ///
  /// @param count times `each`
  /// @throws InvalidRequestException if the request has not so many left
  /// @throws AbandonedRequestException if its deadline has passed
  void steps(long count, long each) {
    if (each > 0 && count > steps / each) {
      throw new InvalidRequestException(
          "the strings of the request take more than %d steps on the host: bytes that operators read and write, and steps of matches"
              .formatted(MOST_STEPS));
    }
    steps -= count * each;
    if (steps <= nextLook) {
      nextLook = steps - STEPS_AT_ONCE;
      look();
    }
  }

  private void look() {
    if (deadlineNanos != InferenceRequest.NO_DEADLINE && deadlineNanos - System.nanoTime() <= 0) {
      throw new AbandonedRequestException(
          "the request's time ran out while the host computed with its strings");
    }
  }

  /// Takes the elements of a tensor before it is made, and their bytes out of the table's budget.
  ///
  /// @return how many there are
  /// @throws InvalidRequestException if the request has not so many left
  int elements(long[] shape, long bytesEach, StringTable table) {
    long count = StringTensors.count(shape);
    if (count > elements) {
      throw new InvalidRequestException(
          "strings of shape %s would be made of the request's, and all that are made are more than %d"
              .formatted(Arrays.toString(shape), MOST_ELEMENTS));
    }
    elements -= count;
    table.take(count * bytesEach);
    steps(count, 1);
    return (int) count;
  }

  /// As above, of codes of strings.
  int codes(long[] shape, StringTable table) {
    return elements(shape, StringTensors.CODE_BYTES, table);
  }

  /// As above, of a request's input, which counts for no element made.
  static int input(long[] shape, StringTable table) {
    int count = StringTensors.count(shape);
    table.take(count * StringTensors.CODE_BYTES);
    return count;
  }

  /// One without a deadline, for what is computed as a model loads.
  static HostBudget ofLoad() {
    return new HostBudget(InferenceRequest.NO_DEADLINE);
  }
}
