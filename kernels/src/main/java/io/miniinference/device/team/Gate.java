package io.miniinference.device.team;

import java.util.concurrent.Semaphore;

/// A number of places that are taken for a while, until the gate is closed for good.
public final class Gate {
  private final Semaphore places;
  private final int size;
  private volatile boolean closed;

  public Gate(int size) {
    this.size = size;
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
  public void close() {
    places.acquireUninterruptibly(size);
    closed = true;
    places.release(size);
  }
}
