package io.miniinference.service.scheduling;

import io.miniinference.runtime.InferenceRequest;

/// How a request wants to be scheduled.
///
/// @param priority 1 goes first, greater numbers go later; 0 for that of the model
/// @param deadlineNanos when to give up if the device has not begun, in the time of
///   [System#nanoTime]
/// @param cancellation says when the client has given up
public record Terms(int priority, long deadlineNanos, Cancellation cancellation) {
  /// What a request has that names none, to a model that has none: one may go ahead of it.
  public static final int DEFAULT_PRIORITY = 2;

  /// No hurry.
  public static final Terms NONE = new Terms(0, InferenceRequest.NO_DEADLINE, Cancellation.never());

  /// No hurry, for a request that may be cancelled.
  public static Terms of(Cancellation cancellation) {
    return new Terms(NONE.priority, InferenceRequest.NO_DEADLINE, cancellation);
  }

  /// These terms with a timeout from now.
  ///
  /// @param micros 0 for none
  public Terms within(long micros) {
    long now = System.nanoTime();
    boolean far = micros == 0 || micros > (Long.MAX_VALUE >> 2) / 1000;
    long own = far ? InferenceRequest.NO_DEADLINE : now + micros * 1000;
    return new Terms(priority, Math.min(own, deadlineNanos), cancellation);
  }

  /// These terms with a priority as the protocol counts it.
  ///
  /// @param level 0 for the default
  public Terms withPriority(long level) {
    return new Terms((int) Math.min(level, Integer.MAX_VALUE), deadlineNanos, cancellation);
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
