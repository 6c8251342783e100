package io.miniinference.plan.packing;

import java.time.Duration;

/// A point in time after which a search stops.
final class Deadline {
  private final long start = System.nanoTime();
  private final long nanos;

  Deadline(Duration time) {
    nanos = time.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1).toNanos() : time.toNanos();
  }

  boolean isOver() {
    return System.nanoTime() - start >= nanos;
  }
}
