package io.miniinference.runtime.serve;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/// How many requests are on the device now. A request that is alone has all workers; requests side
/// by side have one each, unless they are large. For a moment after requests were side by side the
/// next ones have one worker each, too: between small requests of a crowd the device is often idle,
/// and to wake all workers for one of them takes the processor from those that are about to come.
public final class Activity {
  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final AtomicInteger running = new AtomicInteger();
  private final LongSupplier clock;
  private volatile long lastCrowd;

  public Activity() {
    this(System::nanoTime);
  }

  /// @param clock in nanoseconds
  Activity(LongSupplier clock) {
    this.clock = clock;
    lastCrowd = clock.getAsLong() - MOMENT_NANOS;
  }

  /// Whether nobody is or just was there.
  boolean isQuiet() {
    return running.get() == 0 && isPast(clock.getAsLong());
  }

  /// Enters, and says whether nobody else is or just was there.
  boolean enterAlone() {
    long now = clock.getAsLong();
    if (running.incrementAndGet() > 1) {
      lastCrowd = now;
      return false;
    }
    return isPast(now);
  }

  /* Whether the last crowd is a moment ago. */
  private boolean isPast(long now) {
    return now - lastCrowd >= MOMENT_NANOS;
  }

  void leave() {
    running.decrementAndGet();
  }
}
