package io.miniinference.service.scheduling;

import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.runtime.RequestShape;
import io.miniinference.service.scheduling.Ticket.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The requests of one model that wait for the device. A request that finds the model idle runs at
/// once, in its own thread, or in one that is started for it if no thread waits for it. While all
/// turns are taken, requests wait by priority and age; when a turn ends, the first that its
/// instance holds leads the next batch: it takes along those behind it whose rows fit, runs them
/// and hands each its outcome. So batches fill while the device works, and no longer.
///
/// Of a model with open sizes those requests run together that run as of the same sizes
/// (`Model#asRun`). While some of them run, others of these sizes wait, whatever turns are free,
/// and those of other sizes run: of those that are planned as many as keep the device busy
/// (`Model#concurrency`), so that the rest becomes fewer and larger batches, and all that are to be
/// planned first, for which no other waits.
///
/// @param <T> what a request's reader makes of its outputs
final class ModelQueue<T> {
  private final BatchRun<T> run;
  private final Packing packing;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final TreeSet<Ticket<T>> waiting = new TreeSet<>(Ticket::compareTo);
  private final Turns turns;
  private final Set<Map<String, Long>> running = new HashSet<>();

  /// Batches that run and were planned when they came.
  private int planned;

  private int waitingRows;
  private long arrivals;

  /// @param turns batches that run side by side
  ModelQueue(BatchRun<T> run, Packing packing, Turns turns) {
    this.run = run;
    this.packing = packing;
    this.turns = turns;
  }

  /// Runs a request, alone or with others.
  ///
  /// @param rows of the batch that it fills
  /// @throws AbandonedRequestException if it was given up before it ran
  Scheduled<T> infer(Member<T> member, Terms terms, int rows) {
    Ticket<T> ticket = enter(member, terms, rows, null);
    terms.cancellation().onCancel(ticket::wake);
    while (ticket.state() == State.WAITING || ticket.state() == State.TAKEN) {
      waitFor(ticket);
    }
    if (ticket.state() == State.LEADS) {
      lead(ticket);
    }
    return ticket.result();
  }

  /// Runs a request, alone or with others, and no thread waits for it: if it leads a batch, it does
  /// so on a virtual thread.
  ///
  /// @param rows of the batch that it fills
  /// @param to is called once, with what gives the result or throws the failure
  void submit(Member<T> member, Terms terms, int rows, Consumer<Supplier<Scheduled<T>>> to) {
    var callback = new Callback<>(this, to);
    Ticket<T> ticket = enter(member, terms, rows, callback);
    terms.cancellation().onCancel(ticket::wake);
    callback.watch(ticket);
  }

  /// Whether only requests of equal sizes run together.
  boolean isBySizes() {
    return packing.bySizes();
  }

  /// Requests that wait.
  int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /// Has the requests that wait look whether their clients are still there.
  void look() {
    lock.lock();
    try {
      waiting.forEach(Ticket::wake);
    } finally {
      lock.unlock();
    }
  }

  private Ticket<T> enter(Member<T> member, Terms terms, int rows, @Nullable Callback<T> callback) {
    Member<T> ran = packing.bySizes() ? run.model().asRun(member) : member;
    Map<String, Long> sizes =
        packing.bySizes()
            ? run.model().signature().check(ran.request().shapes()).sizes()
            : Map.of();
    boolean isPlanned = packing.bySizes() && run.model().isPlanned(ran.request().shapes());
    lock.lock();
    try {
      Ticket<T> ticket = new Ticket<>(ran, terms, rows, sizes, isPlanned, arrivals++, callback);
      int turn = canRun(ticket) ? turns.take(rows) : Turns.NONE;
      if (turn == Turns.NONE) {
        waiting.add(ticket);
        waitingRows += rows;
        changed.signalAll();
      } else {
        lead(ticket, turn);
      }
      return ticket;
    } finally {
      lock.unlock();
    }
  }

  private boolean canRun(Ticket<T> ticket) {
    return !packing.bySizes()
        || !running.contains(ticket.sizes())
            && (!ticket.isPlanned() || planned < run.model().concurrency());
  }

  private void lead(Ticket<T> ticket, int turn) {
    if (packing.bySizes()) {
      running.add(ticket.sizes());
      planned += ticket.isPlanned() ? 1 : 0;
    }
    ticket.lead(turn);
  }

  private void waitFor(Ticket<T> ticket) {
    boolean interrupted = Thread.currentThread().isInterrupted();
    if (ticket.state() == State.WAITING && (interrupted || ticket.isOver())) {
      withdraw(ticket);
    } else if (interrupted) {
      awaitTaken(ticket);
    } else {
      ticket.park();
    }
  }

  /* An interrupted thread cannot park, and its batch is running: the flag waits until it is done. */
  private static void awaitTaken(Ticket<?> ticket) {
    Thread.interrupted();
    try {
      while (ticket.state() == State.TAKEN) {
        ticket.park();
      }
    } finally {
      Thread.currentThread().interrupt();
    }
  }

  /// Gives up a request that waits.
  void withdraw(Ticket<T> ticket) {
    lock.lock();
    try {
      if (ticket.state() == State.WAITING) {
        waiting.remove(ticket);
        waitingRows -= ticket.rows();
        giveUp(ticket);
      }
    } finally {
      lock.unlock();
    }
  }

  private static void giveUp(Ticket<?> ticket) {
    boolean expired = ticket.terms().isExpired();
    ticket.fail(
        expired
            ? new AbandonedRequestException(ticket.terms().patience().over())
            : new CancelledException());
    ticket.tellLater();
  }

  /// Runs the next batch for the request that leads it.
  void lead(Ticket<T> leader) {
    List<Ticket<T>> batch = List.of(leader);
    try {
      batch = gather(leader);
      run.run(batch);
    } catch (RuntimeException e) {
      leader.fail(e);
    } finally {
      passOn(leader);
      batch.forEach(Ticket::tell);
    }
  }

  private List<Ticket<T>> gather(Ticket<T> leader) {
    if (!packing.isOn()) {
      return List.of(leader);
    }
    int most = Math.min(packing.maxRows(), turns.rows(leader.turn()));
    lock.lock();
    try {
      linger(leader, most);
      if (waiting.isEmpty()) {
        return List.of(leader);
      }
    } finally {
      lock.unlock();
    }
    return packed(leader, Math.min(most, rowsTogether(leader)));
  }

  private int rowsTogether(Ticket<T> leader) {
    return packing.bySizes()
        ? run.model().rowsTogether(new RequestShape(leader.rows(), leader.sizes()))
        : Integer.MAX_VALUE;
  }

  private int waitingRows(Ticket<T> leader) {
    return packing.bySizes()
        ? waiting.stream()
            .filter(it -> it.sizes().equals(leader.sizes()))
            .mapToInt(Ticket::rows)
            .sum()
        : waitingRows;
  }

  private List<Ticket<T>> packed(Ticket<T> leader, int most) {
    lock.lock();
    try {
      return taken(leader, most);
    } finally {
      lock.unlock();
    }
  }

  /* Only while others run: a request that finds the model idle goes at once. */
  private void linger(Ticket<T> leader, int most) {
    long left = packing.maxDelayNanos() - (System.nanoTime() - leader.enteredNanos());
    try {
      while (left > 0 && turns.taken() > 1 && leader.rows() + waitingRows(leader) < most) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Ticket<T>> taken(Ticket<T> leader, int most) {
    List<Ticket<T>> batch = new ArrayList<>();
    batch.add(leader);
    int left = most - leader.rows();
    Predicate<Ticket<T>> isAlike = next -> next.sizes().equals(leader.sizes());
    Ticket<T> next = take(left, isAlike);
    while (next != null) {
      next.become(State.TAKEN);
      batch.add(next);
      left -= next.rows();
      next = take(left, isAlike);
    }
    return batch;
  }

  /* The first that fits and still wants to run; those ahead of it that do not want to are told so. */
  private @Nullable Ticket<T> take(int most, Predicate<Ticket<T>> wanted) {
    Iterator<Ticket<T>> inOrder = waiting.iterator();
    while (inOrder.hasNext() && most > 0) {
      Ticket<T> next = inOrder.next();
      if (next.isOver()) {
        leave(inOrder, next);
        giveUp(next);
      } else if (next.rows() <= most && wanted.test(next)) {
        leave(inOrder, next);
        return next;
      }
    }
    return null;
  }

  private void leave(Iterator<Ticket<T>> at, Ticket<T> ticket) {
    at.remove();
    waitingRows -= ticket.rows();
  }

  private void passOn(Ticket<T> leader) {
    int turn = leader.turn();
    lock.lock();
    try {
      running.remove(leader.sizes());
      planned -= leader.isPlanned() ? 1 : 0;
      Ticket<T> next = take(turns.mostOf(turn), this::canRun);
      if (next == null) {
        turns.free(turn);
        changed.signalAll();
      } else {
        lead(next, turn);
        leadMore();
      }
    } finally {
      lock.unlock();
    }
  }

  /* Where one that is to be planned took the turn of one that was, another may run beside it. */
  private void leadMore() {
    int turn = packing.bySizes() ? turns.take(1) : Turns.NONE;
    while (turn != Turns.NONE) {
      Ticket<T> next = take(turns.mostOf(turn), this::canRun);
      if (next == null) {
        turns.free(turn);
        return;
      }
      lead(next, turn);
      turn = turns.take(1);
    }
  }
}
