package io.miniinference.runtime.specialise;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads of this process that plan shapes which requests are about to ask for: three of four
/// cores, and both of two. They end where there is nothing to plan.
final class PlanningThreads {
  /// Graphs are walked by recursion.
  private static final long STACK_BYTES = 64L << 20;

  private static final int MOST = 12;
  private static final int NUMBER = number(Runtime.getRuntime().availableProcessors());
  private static final ThreadPoolExecutor ALL = threads();

  private PlanningThreads() {}

  static Executor all() {
    return ALL;
  }

  /// How many there are at most.
  static int number() {
    return NUMBER;
  }

  private static int number(int cores) {
    return Math.min(MOST, cores - cores / 4);
  }

  private static ThreadPoolExecutor threads() {
    var threads =
        new ThreadPoolExecutor(
            NUMBER,
            NUMBER,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            PlanningThreads::thread);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static Thread thread(Runnable task) {
    Thread deep = new Thread(null, task, "planning next sizes", STACK_BYTES);
    deep.setDaemon(true);
    return deep;
  }
}
