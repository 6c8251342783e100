package io.miniinference.runtime.serve;

import java.util.concurrent.atomic.AtomicInteger;

/// How many requests are on the device now. A request that is alone has all workers; requests side
/// by side have one each, unless they are large.
public final class Activity {
  private final AtomicInteger running = new AtomicInteger();

  /// Enters, and says whether nobody else was there.
  boolean enterAlone() {
    return running.incrementAndGet() == 1;
  }

  void leave() {
    running.decrementAndGet();
  }
}
