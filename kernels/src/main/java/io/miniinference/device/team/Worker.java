package io.miniinference.device.team;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One worker of a [Team]: who holds it, the share that was posted to it, and its thread, which
/// spins for a moment after each share and then parks.
///
/// A posted share belongs to whoever claims it first: the thread, or the one who posted it and has
/// finished its own share meanwhile. So a thread that wakes late delays nobody.
final class Worker {
  /// Who holds a worker.
  static final int IDLE = 0;

  static final int SERVING = 1;
  static final int IN_CREW = 2;

  /// The state of the posted share.
  private static final int NONE = 0;

  private static final int POSTED = 1;
  private static final int CLAIMED = 2;
  private static final int DONE = 3;

  /// Longer than the gap between two launches, far shorter than a scheduler's time slice.
  private static final long SPIN_NANOS = 40_000;

  /// Kernels keep private arrays on the stack; only pages that are touched cost memory.
  private static final long STACK_BYTES = 16L << 20;

  private static final VarHandle HOLDER;
  private static final VarHandle STATE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HOLDER = lookup.findVarHandle(Worker.class, "holder", int.class);
      STATE = lookup.findVarHandle(Worker.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String name;
  private final int index;
  private volatile int holder;
  private volatile int state;
  private volatile boolean parked;
  private volatile boolean closed;
  private volatile @Nullable Thread waiter;
  private volatile @Nullable Thread thread;

  // the share: written before state becomes POSTED, read after it was claimed
  private @Nullable Shares shares;
  private int launch;
  private long first;
  private long count;
  private @Nullable Throwable failure;

  Worker(String name, int index) {
    this.name = name;
    this.index = index;
  }

  boolean claim(int as) {
    return holder == IDLE && HOLDER.compareAndSet(this, IDLE, as);
  }

  void release() {
    holder = IDLE;
  }

  /// Offers a share to the thread. Only for the holder, one at a time.
  void post(Shares shares, int launch, long first, long count) {
    this.shares = shares;
    this.launch = launch;
    this.first = first;
    this.count = count;
    state = POSTED;
    Thread serving = thread;
    if (serving == null) {
      thread = start();
    } else if (parked) {
      LockSupport.unpark(serving);
    }
  }

  private Thread start() {
    Thread started = new Thread(null, this::serve, name, STACK_BYTES);
    started.setDaemon(true);
    started.start();
    return started;
  }

  /// Waits until the posted share is done, or runs it here on `worker` if nobody has begun it.
  ///
  /// @return why it failed, or null
  @Nullable Throwable join(int worker) {
    if (STATE.compareAndSet(this, POSTED, CLAIMED)) {
      perform(worker);
    } else {
      awaitDone();
    }
    Throwable result = failure;
    failure = null;
    shares = null;
    state = NONE;
    return result;
  }

  private void awaitDone() {
    long start = System.nanoTime();
    while (state != DONE) {
      Thread.onSpinWait();
      if (System.nanoTime() - start > SPIN_NANOS) {
        parkUntilDone();
      }
    }
  }

  private void parkUntilDone() {
    waiter = Thread.currentThread();
    while (state != DONE) {
      LockSupport.park(this);
    }
    waiter = null;
  }

  private void perform(int worker) {
    try {
      Shares work = shares;
      if (work != null) {
        work.run(worker, launch, first, count);
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  private void serve() {
    long since = System.nanoTime();
    while (!closed) {
      if (state == POSTED && STATE.compareAndSet(this, POSTED, CLAIMED)) {
        perform(index);
        finish();
        since = System.nanoTime();
      } else if (holder != SERVING && System.nanoTime() - since < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        rest();
        since = System.nanoTime();
      }
    }
  }

  private void finish() {
    state = DONE;
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /// Parks until something is posted: the core belongs to a thread that computes. A thread that
  /// wakes too late for the share that it was woken for does not park again at once, but spins for
  /// the next one: else each launch of a request would wake it in vain.
  private void rest() {
    parked = true;
    if (state != POSTED && !closed) {
      LockSupport.park(this);
    }
    parked = false;
  }

  void close() {
    closed = true;
    Thread serving = thread;
    if (serving != null) {
      LockSupport.unpark(serving);
      Threads.join(serving);
    }
  }
}
