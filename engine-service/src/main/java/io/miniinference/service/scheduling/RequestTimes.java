package io.miniinference.service.scheduling;

/// When the stages of a request or a batch began, in the time of [System#nanoTime].
///
/// @param entered when it joined the queue
/// @param input when its first input was written
/// @param launched when all inputs were written
/// @param computed when its outputs could be read
/// @param ended when they were
public record RequestTimes(long entered, long input, long launched, long computed, long ended) {
  public long queueNanos() {
    return input - entered;
  }

  public long inputNanos() {
    return launched - input;
  }

  public long computeNanos() {
    return computed - launched;
  }

  public long outputNanos() {
    return ended - computed;
  }

  /// From the first to the last stage of requests that ran as one batch.
  static RequestTimes between(RequestTimes first, RequestTimes last) {
    return new RequestTimes(first.entered, first.input, last.launched, first.computed, last.ended);
  }

  /// Takes the times while a request runs, on the thread that runs it.
  static final class Taker {
    private final long entered = System.nanoTime();
    private long input;
    private long launched;
    private long computed;
    private long ended;

    void writesInput() {
      if (input == 0) {
        input = System.nanoTime();
      }
    }

    void wroteInput() {
      launched = System.nanoTime();
    }

    void readsOutputs() {
      computed = System.nanoTime();
      launched = launched == 0 ? computed : launched;
      input = input == 0 ? launched : input;
    }

    void readOutputs() {
      ended = System.nanoTime();
    }

    RequestTimes times() {
      return new RequestTimes(entered, input, launched, computed, ended);
    }

    long enteredNanos() {
      return entered;
    }
  }
}
