package io.miniinference.service.admission;

import io.github.resilience4j.bulkhead.Bulkhead;
import java.util.concurrent.atomic.AtomicInteger;

/// A bulkhead around requests whose bodies are read, of one model or of all, and those on their way
/// to it.
///
/// @param arriving those whose bytes are at hand, and that will ask for a place soon
/// @param pace at which those within are answered
/// @param property that sets how many it holds, for messages
record Gate(Bulkhead bulkhead, AtomicInteger arriving, Pace pace, String property) {

  Gate(Bulkhead bulkhead, Pace pace, String property) {
    this(bulkhead, new AtomicInteger(), pace, property);
  }

  /// Whether so many further requests would find a place now, and wait no longer than they may.
  boolean hasPlaces(int requests) {
    return free() >= requests && isInTime(requests);
  }

  private boolean isInTime(int requests) {
    return pace.isInTime(most() - free() + requests - 1);
  }

  private int free() {
    return bulkhead.getMetrics().getAvailableConcurrentCalls();
  }

  private int most() {
    return bulkhead.getBulkheadConfig().getMaxConcurrentCalls();
  }

  /// @throws OverloadedException if no place is left beside those that are arriving, or a request
  ///   would wait for too long
  void requireRoom() {
    int requests = 1 + arriving.get();
    if (free() < requests) {
      throw full();
    }
    if (!isInTime(requests)) {
      throw overloaded(
          "so many requests in flight that a further one would wait for more than %d ms (engine.queue.max-wait)"
              .formatted(pace.longest().toMillis()));
    }
  }

  /// Takes a place.
  ///
  /// @throws OverloadedException if there is none
  void hold() {
    if (!bulkhead.tryAcquirePermission()) {
      throw full();
    }
    pace.entered(free() == most() - 1);
  }

  /// Gives a place back.
  void leave() {
    bulkhead.onComplete();
  }

  private OverloadedException full() {
    return overloaded("too many requests in flight (%s=%d)".formatted(property, most()));
  }

  private static OverloadedException overloaded(String message) {
    return new OverloadedException(OverloadedException.Reason.FULL, message);
  }
}
