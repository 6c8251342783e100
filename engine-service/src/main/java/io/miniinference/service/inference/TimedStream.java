package io.miniinference.service.inference;

import io.miniinference.service.admission.Admission;
import io.miniinference.service.http.LargeBodies;
import java.io.IOException;
import java.io.InputStream;

/// The body of an inference as its client sends it, in turns with others where it is large.
final class TimedStream extends PacedStream {
  private final LargeBodies.Turn turn;
  private final Admission.Reading reading;

  /// @param turn given up where the client lets it wait
  /// @param reading told of it
  TimedStream(InputStream in, Pace pace, LargeBodies.Turn turn, Admission.Reading reading) {
    super(in, pace);
    this.turn = turn;
    this.reading = reading;
  }

  @Override
  public int read() throws IOException {
    reading.waitForClient(turn.leaveToWait(in));
    try {
      return super.read();
    } finally {
      reading.waitForClient(false);
    }
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    reading.waitForClient(turn.leaveToWait(in));
    try {
      return super.read(into, offset, length);
    } finally {
      reading.waitForClient(false);
    }
  }

  @Override
  long waitedNanos() {
    return turn.waitedNanos();
  }
}
