package io.miniinference.service.http;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Keeps clients that ask again at once, although they were told to come later (`Retry-After`),
/// from taking the processors from requests that were let in. Refusals of a moderate number of
/// connections are answered as fast as they come, however often each asks; of more, a connection
/// that asks again in less than half of the time that it was told is read only after twice that
/// time.
final class RefusedConnections {
  private static final Set<Integer> REFUSED = Set.of(429, 503);
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  static final long TOO_SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// Connections that are refused in a window, and are no flood.
  private static final int FEW = 100 * Runtime.getRuntime().availableProcessors();

  private final int few;
  private final Set<Object> ofWindow = ConcurrentHashMap.newKeySet();
  private final Map<Object, Long> refusedAt = new ConcurrentHashMap<>();
  private volatile long windowStart = System.nanoTime();

  RefusedConnections() {
    this(FEW);
  }

  /// @param few connections refused in a tenth of a second that are no flood
  RefusedConnections(int few) {
    this.few = few;
  }

  /// Called when a request of a connection was answered.
  void answered(Object connection, int status, long now) {
    if (REFUSED.contains(status) && isFlood(connection, now)) {
      refusedAt.put(connection, now);
    }
  }

  private boolean isFlood(Object connection, long now) {
    if (now - windowStart > WINDOW_NANOS) {
      windowStart = now;
      ofWindow.clear();
    }
    ofWindow.add(connection);
    return ofWindow.size() > few;
  }

  /// How long to wait before a connection on which a request comes is read, in nanoseconds; it is
  /// asked once.
  long pauseNanos(Object connection, long now) {
    Long at = refusedAt.isEmpty() ? null : refusedAt.remove(connection);
    return at == null || now - at >= TOO_SOON_NANOS ? 0 : at + PAUSE_NANOS - now;
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
    refusedAt.remove(connection);
    ofWindow.remove(connection);
  }
}
