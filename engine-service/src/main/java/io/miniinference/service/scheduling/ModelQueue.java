package io.miniinference.service.scheduling;

import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.service.scheduling.Ticket.State;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The requests of one model that wait for the device. A request that finds the model idle runs at
/// once, in its own thread. While all turns are taken, requests wait by priority and age; when a
/// turn ends, the first of them leads the next batch: it takes along those behind it whose rows
/// fit, runs them and hands each its outcome.
///
/// @param <T> what a request's reader makes of its outputs
final class ModelQueue<T> {
  private final BatchRun<T> run;
  private final Packing packing;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final PriorityQueue<Ticket<T>> waiting = new PriorityQueue<>(Ticket::compareTo);
  private final int turns;
  private int free;
  private int waitingRows;
  private long arrivals;

  /// @param turns batches that run side by side
  ModelQueue(BatchRun<T> run, Packing packing, int turns) {
    this.run = run;
    this.packing = packing;
    this.turns = turns;
    this.free = turns;
  }

  /// Runs a request, alone or with others.
  ///
  /// @param rows of the batch that it fills
  /// @throws AbandonedRequestException if it was given up before it ran
  Scheduled<T> infer(Member<T> member, Terms terms, int rows) {
    Ticket<T> ticket = enter(member, terms, rows);
    terms.cancellation().onCancel(ticket::wake);
    while (ticket.state() == State.WAITING || ticket.state() == State.TAKEN) {
      waitFor(ticket);
    }
    if (ticket.state() == State.LEADS) {
      lead(ticket);
    }
    return ticket.result();
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

  private Ticket<T> enter(Member<T> member, Terms terms, int rows) {
    lock.lock();
    try {
      Ticket<T> ticket = new Ticket<>(member, terms, rows, arrivals++);
      if (free > 0) {
        free--;
        ticket.become(State.LEADS);
      } else {
        waiting.add(ticket);
        waitingRows += rows;
        arrived.signalAll();
      }
      return ticket;
    } finally {
      lock.unlock();
    }
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

  private void withdraw(Ticket<T> ticket) {
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
            ? new AbandonedRequestException("the request's deadline passed before it ran")
            : new CancelledException());
  }

  private void lead(Ticket<T> leader) {
    try {
      run.run(gather(leader));
    } finally {
      passOn();
    }
  }

  private List<Ticket<T>> gather(Ticket<T> leader) {
    lock.lock();
    try {
      if (packing.isOn()) {
        linger(leader);
        return packed(leader);
      }
      return List.of(leader);
    } finally {
      lock.unlock();
    }
  }

  /* Only while others run: a request that finds the model idle goes at once. */
  private void linger(Ticket<T> leader) {
    long left = packing.maxDelayNanos() - (System.nanoTime() - leader.enteredNanos());
    try {
      while (left > 0 && turns - free > 1 && leader.rows() + waitingRows < packing.maxRows()) {
        left = arrived.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Ticket<T>> packed(Ticket<T> leader) {
    List<Ticket<T>> batch = new ArrayList<>();
    batch.add(leader);
    int rows = leader.rows();
    Ticket<T> next = first();
    while (next != null && rows + next.rows() <= packing.maxRows()) {
      take(next, State.TAKEN);
      batch.add(next);
      rows += next.rows();
      next = first();
    }
    return batch;
  }

  /* The first that still wants to run; those ahead of it that do not are told so. */
  private @Nullable Ticket<T> first() {
    Ticket<T> next = waiting.peek();
    while (next != null && next.isOver()) {
      waiting.poll();
      waitingRows -= next.rows();
      giveUp(next);
      next = waiting.peek();
    }
    return next;
  }

  private void take(Ticket<T> ticket, State state) {
    waiting.poll();
    waitingRows -= ticket.rows();
    ticket.become(state);
  }

  private void passOn() {
    lock.lock();
    try {
      Ticket<T> next = first();
      if (next == null) {
        free++;
      } else {
        take(next, State.LEADS);
      }
    } finally {
      lock.unlock();
    }
  }
}
