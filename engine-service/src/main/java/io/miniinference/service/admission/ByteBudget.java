package io.miniinference.service.admission;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The bytes of request bodies that may be in memory at once, of one model or of all. Large bodies
/// leave a part of a budget of some size to small ones, so that a few cannot have all others
/// refused; one that is alone may fill it.
public final class ByteBudget {
  static final long SMALL_BYTES = 64 << 10;
  private static final long LEAST_WITH_RESERVE_BYTES = 16L << 20;
  private static final int RESERVED_PART = 16;

  private final long capacityBytes;
  private final long reservedBytes;
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
    this.reservedBytes =
        capacityBytes < LEAST_WITH_RESERVE_BYTES ? 0 : capacityBytes / RESERVED_PART;
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

  /// Whether so many further bytes would fit now, without the part that is left to small bodies.
  boolean hasRoom(long bytes) {
    return bytes <= capacityBytes - reservedBytes - used.get()
        && (whole == null || whole.hasRoom(bytes));
  }

  private void take(long bytes, long held) {
    if (whole != null) {
      whole.take(bytes, held);
    }
    if (!takeOwn(bytes, held)) {
      if (whole != null) {
        whole.giveBack(bytes);
      }
      throw spent();
    }
  }

  /* Never over the capacity, not even for a moment: that would refuse others. */
  private boolean takeOwn(long bytes, long held) {
    long before;
    do {
      before = used.get();
      if (!hasRoom(bytes, held, before)) {
        return false;
      }
    } while (!used.compareAndSet(before, before + bytes));
    return true;
  }

  /* Whether one who holds some of what is used may have further bytes. */
  private boolean hasRoom(long bytes, long held, long usedBytes) {
    boolean mayFill = bytes <= SMALL_BYTES - held || usedBytes == held;
    return bytes <= capacityBytes - (mayFill ? 0 : reservedBytes) - usedBytes;
  }

  private void giveBack(long bytes) {
    used.addAndGet(-bytes);
    if (whole != null) {
      whole.giveBack(bytes);
    }
  }

  /* What can never fit is told so: to come again would not help. */
  private void requireCapacity(long bytes, long held) {
    if (bytes > capacityBytes - held) {
      throw new OverloadedException(
          OverloadedException.Reason.TOO_LARGE,
          "the request's body and strings take more than %d bytes (%s)"
              .formatted(capacityBytes, property));
    }
    if (whole != null) {
      whole.requireCapacity(bytes, held);
    }
  }

  private void requireRoom(long bytes, long held) {
    if (!hasRoom(bytes, held, used.get())) {
      throw spent();
    }
    if (whole != null) {
      whole.requireRoom(bytes, held);
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
      ByteBudget.this.take(bytes, held);
      held += bytes;
    }

    /// Takes further bytes for the strings of a request, of whose body nothing told beforehand that
    /// they would be so many.
    ///
    /// @throws OverloadedException if the budget has not so many left, or never has
    public void takeForStrings(long bytes) {
      requireCapacity(bytes, held);
      take(bytes);
    }

    /// Gives up before so many bytes are read, if there would be no room for them now. It takes
    /// none.
    ///
    /// @throws OverloadedException if the budget has not so many left
    public void expect(long bytes) {
      requireRoom(bytes, held);
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
