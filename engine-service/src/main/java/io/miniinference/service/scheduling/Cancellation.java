package io.miniinference.service.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Whether a request's client has given it up. Safe for many threads.
public final class Cancellation {
  private static final Cancellation NEVER = new Cancellation(false, null);

  private final boolean possible;
  private final @Nullable BooleanSupplier isGone;
  private final List<Runnable> listeners = new ArrayList<>(1);
  private boolean cancelled;

  private Cancellation(boolean possible, @Nullable BooleanSupplier isGone) {
    this.possible = possible;
    this.isGone = isGone;
  }

  /// One for a request whose client can give it up.
  public static Cancellation possible() {
    return new Cancellation(true, null);
  }

  /// One for a request whose client says nothing when it goes, and has to be looked for while the
  /// request waits.
  ///
  /// @param isGone asked on the request's own thread
  public static Cancellation byLooking(BooleanSupplier isGone) {
    return new Cancellation(true, isGone);
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

  /// Looks for the client, on the request's own thread.
  void look() {
    if (isGone != null && !isCancelled() && isGone.getAsBoolean()) {
      cancel();
    }
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
