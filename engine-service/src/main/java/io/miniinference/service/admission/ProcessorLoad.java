package io.miniinference.service.admission;

import java.util.concurrent.TimeUnit;

/// Whether more requests come than processors serve. It begins when in a whole window each request
/// waited long, as opposed to a burst or a pause of the JVM, after which waits get short again; it
/// ends when in a whole window none did. The idea is that of K. Nichols and V. Jacobson,
/// "Controlling Queue Delay", ACM Queue 10(5), 2012. Safe for many threads.
final class ProcessorLoad {
  static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final long longNanos;
  private boolean overloaded;
  private long windowStart;
  private long shortest = Long.MAX_VALUE;
  private long longest;

  /// @param longNanos from which a wait is long; 0 where none is
  /// @param now in the time of [System#nanoTime], as in [#isTooLate]
  ProcessorLoad(long longNanos, long now) {
    this.longNanos = longNanos;
    this.windowStart = now;
  }

  /// Counts a request, and tells whether it is to be refused: it waited long, and so do the others.
  boolean isTooLate(long waitedNanos, long now) {
    return longNanos > 0 && count(waitedNanos, now) && waitedNanos > longNanos;
  }

  private synchronized boolean count(long waitedNanos, long now) {
    if (now - windowStart > WINDOW_NANOS) {
      next(now);
    }
    shortest = Math.min(shortest, waitedNanos);
    longest = Math.max(longest, waitedNanos);
    return overloaded;
  }

  /* A window without requests is none of load. */
  private void next(long now) {
    boolean allLong = shortest > longNanos && shortest < Long.MAX_VALUE;
    overloaded = allLong || overloaded && longest > longNanos;
    windowStart = now;
    shortest = Long.MAX_VALUE;
    longest = 0;
  }
}
