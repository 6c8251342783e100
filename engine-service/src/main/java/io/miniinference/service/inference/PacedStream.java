package io.miniinference.service.inference;

import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.ServingException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/// A body as its client sends it, which ends with an error when it comes too slowly. It looks at
/// the time whenever bytes have come; that some come at all is the connector's timeout.
class PacedStream extends FilterInputStream {
  private static final long GRACE_NANOS = Duration.ofSeconds(5).toNanos();

  private final long start = System.nanoTime();
  private final Pace pace;
  private long received;

  /// How fast bodies must come.
  ///
  /// @param longest time of a whole body
  /// @param leastBytesPerSecond after the first seconds
  record Pace(Duration longest, long leastBytesPerSecond) {
    static Pace of(EngineProperties properties) {
      EngineProperties.Http http = properties.http();
      return new Pace(http.bodyTimeout(), http.bodyMinRate().toBytes());
    }
  }

  PacedStream(InputStream in, Pace pace) {
    super(in);
    this.pace = pace;
  }

  @Override
  public int read() throws IOException {
    int next = super.read();
    check(next < 0 ? 0 : 1);
    return next;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int count = super.read(into, offset, length);
    check(Math.max(0, count));
    return count;
  }

  /// How long it was not read for the sake of others, which is not the client's fault.
  long waitedNanos() {
    return 0;
  }

  private void check(int count) {
    received += count;
    long nanos = System.nanoTime() - start - waitedNanos();
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
