package io.miniinference.device.team;

import io.miniinference.device.DeviceException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// A number of places that are taken for a while, until the gate is closed for good.
public final class Gate {
  /// A run on a device takes seconds at most.
  private static final long PATIENCE_SECONDS = 60;

  private final Semaphore places;
  private final int size;
  private final long patienceNanos;
  private volatile boolean closed;

  public Gate(int size) {
    this(size, TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
  }

  /// @param patienceNanos for those inside when it is closed
  Gate(int size, long patienceNanos) {
    this.size = size;
    this.patienceNanos = patienceNanos;
    places = new Semaphore(size);
  }

  /// Takes a place; parks while there is none.
  ///
  /// @throws IllegalStateException if the gate is closed
  public void enter() {
    places.acquireUninterruptibly();
    if (closed) {
      places.release();
      throw new IllegalStateException("the device is closed");
    }
  }

  /// Takes a place if one is free.
  boolean tryEnter() {
    return !closed && places.tryAcquire();
  }

  public void leave() {
    places.release();
  }

  /// Waits until all who entered before have left.
  void settle() {
    places.acquireUninterruptibly(size);
    places.release(size);
  }

  /// Waits until all have left, and lets nobody in any more.
  ///
  /// @throws DeviceException if somebody stays for too long: what they use must not be closed, and
  ///   goes with the process
  public void close() {
    boolean isEmpty = awaitEmpty();
    closed = true;
    if (!isEmpty) {
      throw new DeviceException(
          "the device cannot be closed: %d of %d places on it are still taken after %.0f s, and what is used there goes with the process"
              .formatted(size - places.availablePermits(), size, patienceNanos / 1e9));
    }
    places.release(size);
  }

  /* An interrupt is kept for the caller. */
  private boolean awaitEmpty() {
    long end = System.nanoTime() + patienceNanos;
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return places.tryAcquire(size, end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
