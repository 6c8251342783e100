package io.miniinference.service.scheduling;

import java.util.ArrayList;
import java.util.List;

/// Whether a request's client has given it up. Safe for many threads.
public final class Cancellation {
  private static final Cancellation NEVER = new Cancellation(false);

  private final boolean possible;
  private final List<Runnable> listeners = new ArrayList<>();
  private boolean cancelled;

  private Cancellation(boolean possible) {
    this.possible = possible;
  }

  /// One for a request whose client can give it up.
  public static Cancellation possible() {
    return new Cancellation(true);
  }

  /// The one of requests whose clients cannot say so.
  static Cancellation never() {
    return NEVER;
  }

  /// Gives the request up, if the device has not begun with it.
  public void cancel() {
    List<Runnable> told;
    synchronized (this) {
      cancelled = possible;
      told = List.copyOf(listeners);
      listeners.clear();
    }
    told.forEach(Runnable::run);
  }

  public synchronized boolean isCancelled() {
    return cancelled;
  }

  /// Calls a listener when the request is given up; at once if it is already.
  void onCancel(Runnable listener) {
    if (isOpen(listener)) {
      return;
    }
    listener.run();
  }

  private synchronized boolean isOpen(Runnable listener) {
    if (possible && !cancelled) {
      listeners.add(listener);
    }
    return !cancelled;
  }
}
