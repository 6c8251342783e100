package io.miniinference.service.http;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Keeps clients that ask again at once, although they were told to come later (`Retry-After`),
/// from taking the processor from requests that were let in. Refusals are answered as fast as they
/// come; where they are many, the connection of a refused request is read again only after a pause.
final class RefusedConnections {
  private static final Set<Integer> REFUSED = Set.of(429, 503);
  private static final long PAUSE_MILLIS = 100;
  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);

  /// Refusals in a window that are no flood: a thousand a second.
  private static final int FEW = 100;

  private final AtomicInteger refusals = new AtomicInteger();
  private volatile long windowStart = System.nanoTime();

  /// Called on a request's own virtual thread, after its answer was sent.
  void answered(int status) {
    if (REFUSED.contains(status) && isFlood()) {
      pause();
    }
  }

  private boolean isFlood() {
    long now = System.nanoTime();
    if (now - windowStart > WINDOW_NANOS) {
      windowStart = now;
      refusals.set(0);
    }
    return refusals.incrementAndGet() > FEW;
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
