package io.miniinference.device.team;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;

/// Threads for what must not run on a caller's.
public final class Threads {
  /// A driver's compiler recurses deeply over long straight-line kernels.
  private static final long COMPILER_STACK_BYTES = 64L << 20;

  private Threads() {}

  /// Runs `task` to its end on a thread with a deep stack.
  public static <T> T withDeepStack(String name, Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    Thread thread = new Thread(null, future, name, COMPILER_STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    join(thread);
    return switch (future.state()) {
      case SUCCESS -> future.resultNow();
      default -> throw rethrown(future.exceptionNow());
    };
  }

  private static RuntimeException rethrown(Throwable cause) {
    return switch (cause) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new CompletionException(cause);
    };
  }

  /// Waits for the end of a thread; an interrupt is kept for the caller.
  static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
