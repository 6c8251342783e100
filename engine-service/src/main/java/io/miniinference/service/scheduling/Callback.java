package io.miniinference.service.scheduling;

import io.miniinference.runtime.InferenceRequest;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who is called for a request that no thread waits for. Whatever takes its time runs on a virtual
/// thread: callers may hold the queue's lock, or serve connections.
final class Callback<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Callback.class);
  private static final Executor THREADS =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("batch-", 0).factory());

  private final ModelQueue<T> queue;
  private final Consumer<Supplier<Scheduled<T>>> to;
  private volatile @Nullable Future<?> timer;

  /// @param to is called once, with what gives the result or throws the failure
  Callback(ModelQueue<T> queue, Consumer<Supplier<Scheduled<T>>> to) {
    this.queue = queue;
    this.to = to;
  }

  /// Has a request that waits given up at its deadline.
  void watch(Ticket<T> ticket) {
    long deadline = ticket.terms().deadlineNanos();
    if (ticket.state() == Ticket.State.WAITING && deadline != InferenceRequest.NO_DEADLINE) {
      long left = deadline - System.nanoTime();
      timer = ForkJoinPool.commonPool().schedule(ticket::wake, left, TimeUnit.NANOSECONDS);
    }
  }

  /// The request runs the next batch.
  void leads(Ticket<T> ticket) {
    THREADS.execute(() -> queue.lead(ticket));
  }

  /// The request is to be given up.
  void isOver(Ticket<T> ticket) {
    THREADS.execute(() -> queue.withdraw(ticket));
  }

  void later(Runnable work) {
    THREADS.execute(work);
  }

  /// The request has its result, or its failure.
  void done(Ticket<T> ticket) {
    Future<?> unneeded = timer;
    if (unneeded != null) {
      unneeded.cancel(false);
    }
    try {
      to.accept(ticket::result);
    } catch (RuntimeException e) {
      LOG.error("defect while a request was answered", e);
    }
  }
}
