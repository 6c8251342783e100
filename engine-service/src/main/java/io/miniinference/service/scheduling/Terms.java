package io.miniinference.service.scheduling;

import io.miniinference.runtime.InferenceRequest;

/// How a request wants to be scheduled.
///
/// @param priority 1 goes first, greater numbers go later; 0 for that of the model
/// @param deadlineNanos when to give up if the device has not begun, in the time of
///   [System#nanoTime]
/// @param patience who set the deadline, if there is one
/// @param cancellation says when the client has given up
public record Terms(
    int priority, long deadlineNanos, Patience patience, Cancellation cancellation) {
  /// What a request has that names none, to a model that has none: one may go ahead of it.
  public static final int DEFAULT_PRIORITY = 2;

  /// No hurry.
  public static final Terms NONE = of(Cancellation.never());

  /// No hurry, for a request that may be cancelled.
  public static Terms of(Cancellation cancellation) {
    return ofCall(InferenceRequest.NO_DEADLINE, cancellation);
  }

  /// Those of a call that may have a deadline, and be cancelled.
  public static Terms ofCall(long deadlineNanos, Cancellation cancellation) {
    return new Terms(0, deadlineNanos, Patience.CALL, cancellation);
  }

  /// These terms with a timeout from now, if that is over before what they have.
  ///
  /// @param micros 0 for none
  /// @param own who set it
  public Terms within(long micros, Patience own) {
    if (micros == 0 || micros > (Long.MAX_VALUE >> 2) / 1000) {
      return this;
    }
    long deadline = System.nanoTime() + micros * 1000;
    return deadline < deadlineNanos ? new Terms(priority, deadline, own, cancellation) : this;
  }

  /// These terms with a priority as the protocol counts it.
  ///
  /// @param level 0 for the default
  public Terms withPriority(long level) {
    int own = (int) Math.min(level, Integer.MAX_VALUE);
    return new Terms(own, deadlineNanos, patience, cancellation);
  }

  /// These terms with a priority if they have none.
  public Terms orPriority(int level) {
    return priority == 0 ? withPriority(level) : this;
  }

  /// Lower goes first.
  int rank() {
    return priority == 0 ? DEFAULT_PRIORITY : priority;
  }

  public boolean isExpired() {
    return deadlineNanos != InferenceRequest.NO_DEADLINE && deadlineNanos - System.nanoTime() <= 0;
  }
}
