package io.miniinference.service.scheduling;

import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.RequestBatch.Member;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A request's place in the queue of its model, on which its own thread waits, unless somebody is
/// called for it. The queue's lock guards the changes from [State#WAITING].
final class Ticket<T> {
  /// What a request waits for.
  enum State {
    /// Its turn has not come.
    WAITING,
    /// It runs the next batch.
    LEADS,
    /// Another request runs the batch that it is in.
    TAKEN,
    /// It has its result, or its failure.
    DONE
  }

  private final Member<T> member;
  private final Terms terms;
  private final int rows;
  private final Map<String, Long> sizes;
  private final boolean isPlanned;
  private final long sequence;
  private final RequestTimes.Taker taker = new RequestTimes.Taker();
  private final Thread thread = Thread.currentThread();
  private final @Nullable Callback<T> callback;
  private volatile State state = State.WAITING;
  private volatile int turn = Turns.NONE;
  private volatile @Nullable T result;
  private volatile @Nullable RuntimeException failure;

  /// @param rows of the batch that the request fills
  /// @param sizes of what its model leaves open besides the batch; empty where all requests run
  ///   together
  /// @param isPlanned whether its model has planned its shapes
  /// @param sequence order of arrival
  /// @param callback who is called for it; null if the current thread waits
  Ticket(
      Member<T> member,
      Terms terms,
      int rows,
      Map<String, Long> sizes,
      boolean isPlanned,
      long sequence,
      @Nullable Callback<T> callback) {
    this.callback = callback;
    this.member = TimedMember.of(member, taker);
    this.terms = terms;
    this.rows = rows;
    this.sizes = sizes;
    this.isPlanned = isPlanned;
    this.sequence = sequence;
  }

  Member<T> member() {
    return member;
  }

  Terms terms() {
    return terms;
  }

  int rows() {
    return rows;
  }

  Map<String, Long> sizes() {
    return sizes;
  }

  boolean isPlanned() {
    return isPlanned;
  }

  long enteredNanos() {
    return taker.enteredNanos();
  }

  /// The stages of the request, once it was answered.
  RequestTimes times() {
    return taker.times();
  }

  State state() {
    return state;
  }

  /// Lower goes first.
  int compareTo(Ticket<T> other) {
    int byPriority = Integer.compare(terms.rank(), other.terms.rank());
    return byPriority != 0 ? byPriority : Long.compare(sequence, other.sequence);
  }

  /// Has the request run the next batch, on a turn that is its own.
  void lead(int on) {
    turn = on;
    become(State.LEADS);
  }

  int turn() {
    return turn;
  }

  /// Wakes the request's thread in a new state.
  void become(State next) {
    state = next;
    if (callback == null) {
      unpark();
    } else if (next == State.LEADS) {
      callback.leads(this);
    }
  }

  private void unpark() {
    if (thread != Thread.currentThread()) {
      LockSupport.unpark(thread);
    }
  }

  /// Has somebody look again whether the request is to wait.
  void wake() {
    if (callback == null) {
      unpark();
    } else if (state == State.WAITING && isOver()) {
      callback.isOver(this);
    }
  }

  /// Tells whoever is called for it that it is done. A thread that waits for it knows.
  void tell() {
    if (callback != null) {
      callback.done(this);
    }
  }

  /// As above, without the queue's lock, which the caller holds.
  void tellLater() {
    if (callback != null) {
      callback.later(this::tell);
    }
  }

  void answer(T value) {
    result = value;
    become(State.DONE);
  }

  void fail(RuntimeException error) {
    failure = told(error);
    become(State.DONE);
  }

  /* The model, for which it waited, too, does not know whose deadline that was. */
  private RuntimeException told(RuntimeException error) {
    return error instanceof AbandonedRequestException && terms.isExpired()
        ? new AbandonedRequestException(terms.patience().over())
        : error;
  }

  /// Whether it is to be given up if it still waits.
  boolean isOver() {
    return terms.isExpired() || terms.cancellation().isCancelled();
  }

  /// Sleeps until something may have changed. Only a request with a deadline sets a timer, which
  /// costs more than the rest of its wait.
  void park() {
    long deadline = terms.deadlineNanos();
    if (state != State.WAITING || deadline == InferenceRequest.NO_DEADLINE) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, Math.max(0, deadline - System.nanoTime()));
    }
    if (state == State.WAITING) {
      terms.cancellation().look();
    }
  }

  /// The result, once it is done.
  Scheduled<T> result() {
    RuntimeException error = failure;
    if (error != null) {
      throw error;
    }
    T value = result;
    if (value == null) {
      throw new IllegalStateException("the request is not done");
    }
    return new Scheduled<>(value, times());
  }
}
