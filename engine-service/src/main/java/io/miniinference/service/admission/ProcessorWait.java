package io.miniinference.service.admission;

import java.util.concurrent.Executor;

/// How long the task of the current thread waited until a processor was free for it. Where more
/// requests come than processors serve, all wait there, before anything of theirs is read.
public final class ProcessorWait {
  private static final ThreadLocal<Long> NANOS = ThreadLocal.withInitial(() -> 0L);

  private ProcessorWait() {}

  /// An executor that measures the wait of its tasks.
  public static Executor measured(Executor executor) {
    return task -> {
      long since = System.nanoTime();
      executor.execute(() -> run(task, since));
    };
  }

  private static void run(Runnable task, long since) {
    NANOS.set(System.nanoTime() - since);
    task.run();
  }

  /// 0 where nothing is known of it.
  static long nanos() {
    return NANOS.get();
  }
}
