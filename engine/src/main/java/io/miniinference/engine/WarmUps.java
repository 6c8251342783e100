package io.miniinference.engine;

import io.miniinference.runtime.Model;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Compiles loaded models with open dimensions ahead of their first requests ([Model#warmUp]), one
/// after the other, on a thread in the background. For any number of threads.
public final class WarmUps implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(WarmUps.class.getName());

  /// Of the thread: graphs are walked by recursion.
  private static final long STACK_BYTES = 64L << 20;

  private final int shapes;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          WarmUps::thread,
          new ThreadPoolExecutor.DiscardPolicy());

  /// @param shapes for how many each model is planned; none is with 0
  public WarmUps(int shapes) {
    this.shapes = shapes;
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable task) {
    Thread deep = new Thread(null, task, "warming up models", STACK_BYTES);
    deep.setDaemon(true);
    return deep;
  }

  /// Warms up a model after those that came before, if it is one that is compiled per shape.
  /// Returns at once.
  public void begin(Model model) {
    if (shapes > 0 && model.specialisations().isPresent()) {
      thread.execute(() -> warmUp(model));
    }
  }

  private void warmUp(Model model) {
    try {
      long start = System.nanoTime();
      int planned = model.warmUp(shapes);
      LOG.log(
          System.Logger.Level.DEBUG,
          "model ''{0}'' was planned for {1} shapes ahead of its requests in {2} ms",
          model.name(),
          planned,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    } catch (RuntimeException | Error e) { // a request will meet the same, and tell
      LOG.log(System.Logger.Level.DEBUG, "model '" + model.name() + "' was not warmed up", e);
    }
  }

  /// Begins none any more. A model that closes waits for its own.
  @Override
  public void close() {
    thread.getQueue().clear(); // a compiler is not interrupted
    thread.shutdown();
  }
}
