package io.miniinference.runtime.serve;

import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.ModelClosedException;
import io.miniinference.runtime.OwnRequestException;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The instances of a model, and who has them. Who finds none queues up, and whoever gives one back
/// hands it to the first in the queue whose batch it holds. So requests are served in the order in
/// which they came, as far as batches allow; one thread wakes for each instance that is given back;
/// and nobody waits for an instance that is free, so that who comes later overtakes nobody.
///
/// The lock guards only taking and giving back; it is never held while the device works. Which
/// thread has an instance is kept, since a request that waits for its own instance would wait for
/// ever.
final class Instances {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition allFree = lock.newCondition();
  private final Map<Instance, Thread> holders = new IdentityHashMap<>();
  private final Set<Waiter> queue = new LinkedHashSet<>();
  private final String model;
  private final List<Instance> all;
  private boolean closed;

  /// @param model stands in messages
  /// @param all smallest arenas first, so that a small request leaves the large one free
  Instances(String model, List<Instance> all) {
    this.model = model;
    this.all = List.copyOf(all);
  }

  /* A thread in the queue. Whoever takes it from there answers it, under the same lock. */
  private static final class Waiter {
    private final long n;
    private final Thread thread = Thread.currentThread();
    private volatile @Nullable Instance handed;
    private volatile boolean isRefused;

    Waiter(long n) {
      this.n = n;
    }

    /* What it was handed, null if nobody answered yet. */
    @Nullable Instance answer() {
      if (isRefused) {
        throw new ModelClosedException();
      }
      return handed;
    }
  }

  List<Instance> all() {
    return all;
  }

  /// How many threads wait for an instance.
  int waiting() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  /// Takes the smallest free instance that holds a batch of `n`, waiting for one.
  ///
  /// @param patienceNanos longest wait
  /// @throws AbandonedRequestException if none came free in time, or the thread was interrupted
  /// @throws ModelClosedException if the model is closed
  /// @throws OwnRequestException if none is free and the thread has one already: it might be the
  ///   one to wait for
  Instance take(long n, long patienceNanos) {
    Waiter waiter;
    lock.lock();
    try {
      if (closed) {
        throw new ModelClosedException();
      }
      requirePatience(Long.MAX_VALUE); // who was cancelled takes none, even where one is free
      Instance instance = takeFree(n);
      if (instance != null) {
        return instance;
      }
      requirePatience(patienceNanos);
      requireNone();
      waiter = new Waiter(n);
      queue.add(waiter);
    } finally {
      lock.unlock();
    }
    return await(waiter, patienceNanos);
  }

  private @Nullable Instance takeFree(long n) {
    for (Instance instance : all) {
      if (n <= instance.maxBatch() && takeFree(instance)) {
        return instance;
      }
    }
    return null;
  }

  private boolean takeFree(Instance instance) {
    return holders.putIfAbsent(instance, Thread.currentThread()) == null;
  }

  private void requireNone() {
    if (isHeldHere()) {
      throw OwnRequestException.asking(model);
    }
  }

  /// Whether the current thread has an instance.
  boolean isHeldHere() {
    lock.lock();
    try {
      return holders.containsValue(Thread.currentThread());
    } finally {
      lock.unlock();
    }
  }

  private static void requirePatience(long leftNanos) {
    if (Thread.currentThread().isInterrupted()) {
      throw new AbandonedRequestException("the request was cancelled before it ran");
    }
    if (leftNanos <= 0) {
      throw new AbandonedRequestException("the request's deadline passed before it ran");
    }
  }

  private Instance await(Waiter waiter, long patienceNanos) {
    long start = System.nanoTime();
    Instance handed = waiter.answer();
    while (handed == null) {
      long left = patienceNanos - (System.nanoTime() - start);
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        leave(waiter, left);
      } else if (patienceNanos == Long.MAX_VALUE) {
        LockSupport.park(this); // a virtual thread needs no timer
      } else {
        LockSupport.parkNanos(this, left);
      }
      handed = waiter.answer();
    }
    return handed;
  }

  /* Who was answered meanwhile is in the queue no more, and takes the answer: so no instance is
  handed to one that is gone. */
  private void leave(Waiter waiter, long leftNanos) {
    lock.lock();
    try {
      if (queue.remove(waiter)) {
        requirePatience(leftNanos);
      }
    } finally {
      lock.unlock();
    }
  }

  void giveBack(Instance instance) {
    Waiter next;
    lock.lock();
    try {
      next = first(instance.maxBatch());
      if (next == null) {
        holders.remove(instance);
        allFree.signalAll();
      } else {
        queue.remove(next);
        holders.put(instance, next.thread);
        next.handed = instance;
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      LockSupport.unpark(next.thread); // not under the lock: it may take this thread's processor
    }
  }

  private @Nullable Waiter first(long maxBatch) {
    for (Waiter waiter : queue) {
      if (waiter.n <= maxBatch) {
        return waiter;
      }
    }
    return null;
  }

  /// Lets nobody in any more and waits until all instances are free, of which the current thread
  /// must have none.
  void close() {
    lock.lock();
    try {
      closed = true;
      refuseAll();
      while (!holders.isEmpty()) {
        allFree.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void refuseAll() {
    for (Waiter waiter : queue) {
      waiter.isRefused = true;
      LockSupport.unpark(waiter.thread);
    }
    queue.clear();
  }
}
