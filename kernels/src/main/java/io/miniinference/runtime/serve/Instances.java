package io.miniinference.runtime.serve;

import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.ModelClosedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The free instances of a model. The lock guards only taking and giving back; it is never held
/// while the device works.
final class Instances {
  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition changed = lock.newCondition();
  private final Deque<Instance> free = new ArrayDeque<>();
  private final List<Instance> all;
  private boolean closed;

  /// @param all smallest arenas first, so that a small request leaves the large one free
  Instances(List<Instance> all) {
    this.all = List.copyOf(all);
    free.addAll(all);
  }

  List<Instance> all() {
    return all;
  }

  /// Takes the smallest free instance that holds a batch of `n`, waiting for one.
  ///
  /// @param patienceNanos longest wait
  /// @throws AbandonedRequestException if none came free in time, or the thread was interrupted
  /// @throws IllegalStateException if the model is closed
  Instance take(long n, long patienceNanos) {
    try {
      lock.lockInterruptibly();
      return takeLocked(n, patienceNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AbandonedRequestException("the request was cancelled before it ran");
    }
  }

  private Instance takeLocked(long n, long patienceNanos) throws InterruptedException {
    long left = patienceNanos;
    try {
      while (true) {
        if (closed) {
          throw new ModelClosedException();
        }
        for (Instance instance : all) {
          if (n <= instance.maxBatch() && free.remove(instance)) {
            return instance;
          }
        }
        if (left <= 0) {
          throw new AbandonedRequestException("the request's deadline passed before it ran");
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  void giveBack(Instance instance) {
    lock.lock();
    try {
      free.add(instance);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Lets nobody in any more and waits until all instances are free.
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      while (free.size() < all.size()) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
