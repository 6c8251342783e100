package io.miniinference.service.http;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Keeps clients that ask again at once, although they were told to come later (`Retry-After`),
/// from taking the processors from requests that were let in. Refusals of a moderate number of
/// connections are answered as fast as they come, however often each asks. More are a flood, of
/// which some refusals are answered as fast in each window, until there are no more; a connection
/// beyond those that asks again in less than half of the time that it was told is read only after a
/// pause, and if it then does so again, after one of four times that length.
final class RefusedConnections {
  private static final Set<Integer> REFUSED = Set.of(429, 503);
  private static final int FIRST_PART = 4;
  static final long TOO_SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// Connections that are refused in a window, and are no flood.
  private static final int FEW = 100 * Runtime.getRuntime().availableProcessors();

  private final int few;
  private final Set<Object> ofWindow = ConcurrentHashMap.newKeySet();
  private final Map<Object, Refusal> refusals = new ConcurrentHashMap<>();
  private volatile long longestNanos;
  private long windowStart = System.nanoTime();
  private boolean wasFlood;
  private int count;

  RefusedConnections() {
    this(FEW);
  }

  /// @param few connections refused in a tenth of a second that are no flood; half as many refusals
  ///   of one are answered at once
  RefusedConnections(int few) {
    this.few = few;
  }

  /// @param longest pause; zero for none, as before it is set
  void setLongest(Duration longest) {
    longestNanos = longest.toNanos();
  }

  /// @param pauseNanos until it is read, if it asks too soon
  /// @param wasPaused whether it asked too soon
  private record Refusal(long atNanos, long pauseNanos, boolean wasPaused) {}

  /// Called when a request of a connection was answered.
  void answered(Object connection, int status, long now) {
    Refusal before = refusals.isEmpty() ? null : refusals.remove(connection);
    if (REFUSED.contains(status) && longestNanos > 0 && isFlood(connection, now)) {
      long pause = before == null ? longestNanos / FIRST_PART : longestNanos;
      refusals.put(connection, new Refusal(now, pause, false));
    }
  }

  private synchronized boolean isFlood(Object connection, long now) {
    if (now - windowStart > WINDOW_NANOS) {
      boolean goesOn = ofWindow.size() > few || wasFlood && count > few / 2;
      wasFlood = goesOn && now - windowStart < 2 * WINDOW_NANOS;
      windowStart = now;
      count = 0;
      ofWindow.clear();
    }
    ofWindow.add(connection);
    count++;
    return ofWindow.size() > few || wasFlood && count > few / 2;
  }

  /// How long to wait before a connection on which a request comes is read, in nanoseconds; it is
  /// asked once.
  long pauseNanos(Object connection, long now) {
    Refusal refusal = refusals.isEmpty() ? null : refusals.get(connection);
    if (refusal == null || refusal.wasPaused) {
      return 0;
    }
    if (now - refusal.atNanos >= TOO_SOON_NANOS) {
      refusals.remove(connection);
      return 0;
    }
    refusals.put(connection, new Refusal(refusal.atNanos, refusal.pauseNanos, true));
    return refusal.atNanos + refusal.pauseNanos - now;
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
    refusals.remove(connection);
    ofWindow.remove(connection);
  }
}
