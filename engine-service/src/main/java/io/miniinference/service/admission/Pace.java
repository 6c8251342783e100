package io.miniinference.service.admission;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// How fast requests are answered while some are in flight, and so how long a further one would
/// wait: as many as are in flight, at the time that each of the latest took. Batches answer many at
/// once, so that time is taken over many answers.
final class Pace {
  /// Requests in flight of which none is refused for its wait.
  static final int FEW = 64;

  static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Duration longest;
  private boolean isBusy;
  private long sinceNanos;
  private long busyNanos;
  private long count;
  private volatile double nanosEach;

  /// @param longest wait; zero for any
  Pace(Duration longest) {
    this.longest = longest;
  }

  /// A request is in flight.
  ///
  /// @param isFirst whether no other one was
  synchronized void entered(boolean isFirst) {
    if (isFirst) {
      isBusy = false;
    }
  }

  /// A request has been answered. One whose client went away says nothing of the pace.
  synchronized void answered(long now) {
    if (!isBusy) { // others may be answered with it, which took no time of their own
      isBusy = true;
      sinceNanos = now;
      return;
    }
    busyNanos += now - sinceNanos;
    sinceNanos = now;
    count++;
    if (busyNanos >= WINDOW_NANOS) {
      double latest = (double) busyNanos / count;
      nanosEach = nanosEach == 0 ? latest : (nanosEach + latest) / 2;
      busyNanos = 0;
      count = 0;
    }
  }

  /// Whether a request beside so many others would be answered in time.
  boolean isInTime(int others) {
    return longest.isZero() || others < FEW || others * nanosEach <= longest.toNanos();
  }

  Duration longest() {
    return longest;
  }
}
