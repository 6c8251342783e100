package io.miniinference.service.admission;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The bytes of request bodies that may be in memory at once, of one model or of all.
public final class ByteBudget {
  private final long capacityBytes;
  private final String property;
  private final @Nullable ByteBudget whole;
  private final AtomicLong used = new AtomicLong();

  /// @param property that sets the capacity, for messages
  ByteBudget(long capacityBytes, String property) {
    this(capacityBytes, property, null);
  }

  /// @param whole of which this one is a part
  private ByteBudget(long capacityBytes, String property, @Nullable ByteBudget whole) {
    this.capacityBytes = capacityBytes;
    this.property = property;
    this.whole = whole;
  }

  /// A part of this budget with a bound of its own.
  ByteBudget part(long capacityBytes, String property) {
    return new ByteBudget(capacityBytes, property, this);
  }

  /// Opens an empty share, to be closed when its request is answered.
  public Share open() {
    return new Share();
  }

  public long usedBytes() {
    return used.get();
  }

  private void take(long bytes) {
    if (whole != null) {
      whole.take(bytes);
    }
    if (!takeOwn(bytes)) {
      if (whole != null) {
        whole.giveBack(bytes);
      }
      throw spent();
    }
  }

  /* Never over the capacity, not even for a moment: that would refuse others. */
  private boolean takeOwn(long bytes) {
    long before;
    do {
      before = used.get();
      if (bytes > capacityBytes - before) {
        return false;
      }
    } while (!used.compareAndSet(before, before + bytes));
    return true;
  }

  private void giveBack(long bytes) {
    used.addAndGet(-bytes);
    if (whole != null) {
      whole.giveBack(bytes);
    }
  }

  private void requireRoom(long bytes) {
    if (used.get() > capacityBytes - bytes) {
      throw spent();
    }
    if (whole != null) {
      whole.requireRoom(bytes);
    }
  }

  private OverloadedException spent() {
    return new OverloadedException(
        OverloadedException.Reason.FULL,
        "request bodies in flight would exceed " + capacityBytes + " bytes (" + property + ")");
  }

  /// One request's share. For one thread.
  public final class Share implements AutoCloseable {
    private long held;

    /// Takes further bytes.
    ///
    /// @throws OverloadedException if the budget has not so many left
    public void take(long bytes) {
      ByteBudget.this.take(bytes);
      held += bytes;
    }

    /// Gives up before so many bytes are read, if there would be no room for them now. It takes
    /// none.
    ///
    /// @throws OverloadedException if the budget has not so many left
    public void expect(long bytes) {
      requireRoom(bytes);
    }

    /// Gives some of the bytes back.
    public void release(long bytes) {
      giveBack(bytes);
      held -= bytes;
    }

    @Override
    public void close() {
      giveBack(held);
      held = 0;
    }
  }
}
