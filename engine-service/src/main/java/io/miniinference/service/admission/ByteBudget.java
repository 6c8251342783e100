package io.miniinference.service.admission;

import java.util.concurrent.atomic.AtomicLong;

/// The bytes of request bodies that may be in memory at once.
public final class ByteBudget {
  private final long capacityBytes;
  private final AtomicLong used = new AtomicLong();

  public ByteBudget(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /// Opens an empty share, to be closed when its request is answered.
  public Share open() {
    return new Share();
  }

  public long usedBytes() {
    return used.get();
  }

  /// One request's share. For one thread.
  public final class Share implements AutoCloseable {
    private long held;

    /// Takes further bytes.
    ///
    /// @throws OverloadedException if the budget has not so many left
    public void take(long bytes) {
      if (used.addAndGet(bytes) > capacityBytes) {
        used.addAndGet(-bytes);
        throw new OverloadedException(
            "request bodies in flight would exceed "
                + capacityBytes
                + " bytes (engine.queue.max-bytes)");
      }
      held += bytes;
    }

    @Override
    public void close() {
      used.addAndGet(-held);
      held = 0;
    }
  }
}
