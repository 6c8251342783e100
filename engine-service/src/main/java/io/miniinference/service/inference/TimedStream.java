package io.miniinference.service.inference;

import io.miniinference.service.admission.Admission;
import io.miniinference.service.http.LargeBodies;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.ServingException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/// A body as its client sends it, which ends with an error when it comes too slowly. It looks at
/// the time whenever bytes have come; that some come at all is the connector's timeout.
final class TimedStream extends FilterInputStream {
  private static final long GRACE_NANOS = Duration.ofSeconds(5).toNanos();

  private final long start = System.nanoTime();
  private final Pace pace;
  private final LargeBodies.Turn turn;
  private final Admission.Reading reading;
  private long received;

  /// How fast bodies must come.
  ///
  /// @param longest time of a whole body
  /// @param leastBytesPerSecond after the first seconds
  record Pace(Duration longest, long leastBytesPerSecond) {}

  /// @param turn given up where the client lets it wait
  /// @param reading told of it
  TimedStream(InputStream in, Pace pace, LargeBodies.Turn turn, Admission.Reading reading) {
    super(in);
    this.pace = pace;
    this.turn = turn;
    this.reading = reading;
  }

  @Override
  public int read() throws IOException {
    reading.waitForClient(turn.leaveToWait(in));
    int next = super.read();
    check(next < 0 ? 0 : 1);
    return next;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    reading.waitForClient(turn.leaveToWait(in));
    int count = super.read(into, offset, length);
    check(Math.max(0, count));
    return count;
  }

  private void check(int count) {
    reading.waitForClient(false);
    received += count;
    long nanos = System.nanoTime() - start - turn.waitedNanos();
    if (nanos > pace.longest().toNanos()) {
      throw slow(
          "took longer than " + pace.longest().toMillis() + " ms (engine.http.body-timeout)");
    }
    if (nanos > GRACE_NANOS && received < pace.leastBytesPerSecond() * (nanos / 1e9)) {
      throw slow(
          "came at less than "
              + pace.leastBytesPerSecond()
              + " bytes a second (engine.http.body-min-rate)");
    }
  }

  private static ServingException slow(String what) {
    return new ServingException(ErrorKind.TOO_SLOW, "the request's body " + what);
  }
}
