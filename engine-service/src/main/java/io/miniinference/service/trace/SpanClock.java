package io.miniinference.service.trace;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/// A moment in the time of the world and in that of [System#nanoTime], so that times of the one can
/// be told as times of the other.
record SpanClock(long epochNanos, long nanoTime) {
  static SpanClock now() {
    Instant now = Instant.now();
    long seconds = TimeUnit.SECONDS.toNanos(now.getEpochSecond());
    return new SpanClock(seconds + now.getNano(), System.nanoTime());
  }

  long epochNanosAt(long nanos) {
    return epochNanos + nanos - nanoTime;
  }
}
