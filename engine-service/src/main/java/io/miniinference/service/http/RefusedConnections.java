package io.miniinference.service.http;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Keeps clients that ask again at once, although they were told to come later (`Retry-After`),
/// from taking the processors from requests that were let in. Refusals are answered as fast as they
/// come up to a rate; the connections of those beyond it are read again only after the time that
/// their answer told them.
final class RefusedConnections {
  private static final Set<Integer> REFUSED = Set.of(429, 503);
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// Refusals in a window that are no flood: four thousand a second and processor.
  private static final int FEW = 400 * Runtime.getRuntime().availableProcessors();

  private final int few;
  private final AtomicInteger refusals = new AtomicInteger();
  private final Map<Object, Long> readAgainAt = new ConcurrentHashMap<>();
  private volatile long windowStart = System.nanoTime();

  RefusedConnections() {
    this(FEW);
  }

  /// @param few refusals in a tenth of a second that are no flood
  RefusedConnections(int few) {
    this.few = few;
  }

  /// Called when a request of a connection was answered.
  void answered(Object connection, int status, long now) {
    if (REFUSED.contains(status) && isFlood(now)) {
      readAgainAt.put(connection, now + PAUSE_NANOS);
    }
  }

  private boolean isFlood(long now) {
    if (now - windowStart > WINDOW_NANOS) {
      windowStart = now;
      refusals.set(0);
    }
    return refusals.incrementAndGet() > few;
  }

  /// How long to wait before a connection is read, in nanoseconds; it is asked once.
  long pauseNanos(Object connection, long now) {
    Long at = readAgainAt.isEmpty() ? null : readAgainAt.remove(connection);
    return at == null ? 0 : Math.max(0, at - now);
  }

  /// Waits, on a virtual thread, until a connection is to be read.
  void awaitReading(Object connection) {
    long pause = pauseNanos(connection, System.nanoTime());
    if (pause > 0) {
      try {
        TimeUnit.NANOSECONDS.sleep(pause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Called when a connection is closed.
  void forget(Object connection) {
    readAgainAt.remove(connection);
  }
}
