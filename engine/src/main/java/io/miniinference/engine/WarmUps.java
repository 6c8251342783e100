package io.miniinference.engine;

import io.miniinference.runtime.Model;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Compiles loaded models with open dimensions ahead of their first requests ([Model#warmUp]), one
/// after the other, on a thread in the background. Then it plans those of one open dimension for
/// each of its smaller sizes ([Model#planAhead]). For any number of threads.
public final class WarmUps implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(WarmUps.class.getName());

  /// Of the thread: graphs are walked by recursion.
  private static final long STACK_BYTES = 64L << 20;

  private final int shapes;
  private final int largestSize;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          WarmUps::thread,
          new ThreadPoolExecutor.DiscardPolicy());

  /// @param shapes for how many each model is planned at once; none is with 0
  /// @param largestSize up to which a model of one open dimension is planned for each size then;
  ///   none is with 0
  public WarmUps(int shapes, int largestSize) {
    this.shapes = shapes;
    this.largestSize = largestSize;
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
      thread.execute(() -> attempt(model, this::warmUp));
    }
  }

  /* Behind the warm-ups of models that wait, its sizes are planned. */
  private void warmUp(Model model) {
    long start = System.nanoTime();
    int planned = model.warmUp(shapes);
    LOG.log(
        System.Logger.Level.DEBUG,
        "model ''{0}'' was planned for {1} shapes ahead of its requests in {2} ms",
        model.name(),
        planned,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    if (planned > 0) {
      thread.execute(() -> attempt(model, this::planNext));
    }
  }

  /* One size, and the next one behind those of other models. */
  private void planNext(Model model) {
    long start = System.nanoTime();
    if (model.planAhead(largestSize)) {
      LockSupport.parkNanos(System.nanoTime() - start); // half of a core is left to requests
      thread.execute(() -> attempt(model, this::planNext));
    }
  }

  private static void attempt(Model model, Consumer<Model> planning) {
    try {
      planning.accept(model);
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
