package io.miniinference.device.team;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One worker of a [Team]: who holds it, the group whose pieces it is to claim, and its thread.
///
/// The thread spins as long as a group has the worker, up to a limit, since that group's next
/// launch comes soon and a wake-up would cost more than most launches take; it spins for a moment
/// when the group has left, and then parks. The poster takes its offer back when all pieces are
/// claimed before the thread came, so that a thread that wakes late delays nobody.
final class Worker {
  /// Who holds a worker.
  static final int IDLE = 0;

  static final int SERVING = 1;
  static final int IN_CREW = 2;

  /// The state of the offer.
  private static final int NONE = 0;

  private static final int POSTED = 1;
  private static final int TAKEN = 2;
  private static final int DONE = 3;

  /// Longer than the gap between two requests of a busy client, far shorter than a scheduler's time
  /// slice.
  private static final long SPIN_NANOS = 40_000;

  /// Longer than a piece takes that was claimed last.
  private static final long SPIN_FOR_OTHERS_NANOS = 200_000;

  /// Longer than most launches that are not shared.
  private static final long SPIN_IN_CREW_NANOS = 150_000;

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
  private volatile int holder;
  private volatile int state;
  private volatile boolean parked;
  private volatile boolean closed;
  private volatile @Nullable Thread waiter;
  private volatile @Nullable Thread thread;

  // the offer: written before state becomes POSTED, read after it was taken
  private @Nullable TaskGroup group;
  private int member;
  private @Nullable Throwable failure;

  Worker(String name) {
    this.name = name;
  }

  boolean claim(int as) {
    return holder == IDLE && HOLDER.compareAndSet(this, IDLE, as);
  }

  void release() {
    holder = IDLE;
  }

  /// Offers the pieces of a group's launch to the thread. Only for the holder, one at a time.
  ///
  /// @param member which one of the group the worker is
  void post(TaskGroup group, int member) {
    this.group = group;
    this.member = member;
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

  /// Waits until the thread has done the pieces that it claimed, or takes the offer back if it has
  /// not come. Only when all pieces are claimed.
  ///
  /// @return why it failed, or null
  @Nullable Throwable join() {
    if (!STATE.compareAndSet(this, POSTED, TAKEN)) {
      awaitDone();
    }
    Throwable result = failure;
    failure = null;
    group = null;
    state = NONE;
    return result;
  }

  private void awaitDone() {
    long start = System.nanoTime();
    while (state != DONE) {
      Thread.onSpinWait();
      if (System.nanoTime() - start > SPIN_FOR_OTHERS_NANOS) {
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

  private void perform() {
    try {
      TaskGroup work = group;
      if (work != null) {
        work.work(member);
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  private void serve() {
    long since = System.nanoTime();
    boolean isLate = false;
    while (!closed) {
      if (state == POSTED && STATE.compareAndSet(this, POSTED, TAKEN)) {
        perform();
        finish();
        isLate = false;
        since = System.nanoTime();
      } else if (System.nanoTime() - since < patienceNanos()) {
        spin(isLate);
      } else {
        rest();
        isLate = true;
        since = System.nanoTime();
      }
    }
  }

  /* A thread that was woken may have taken the core of the one that woke it, which then has it back
  at once. */
  private static void spin(boolean isLate) {
    if (isLate) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  /* The core belongs to a thread that computes. */
  private long patienceNanos() {
    return switch (holder) {
      case SERVING -> 0;
      case IN_CREW -> SPIN_IN_CREW_NANOS;
      default -> SPIN_NANOS;
    };
  }

  private void finish() {
    state = DONE;
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /// Parks until something is posted. A thread that wakes too late for the launch that it was woken
  /// for does not park again at once, but spins for the next one: else each launch of a request
  /// would wake it in vain.
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
