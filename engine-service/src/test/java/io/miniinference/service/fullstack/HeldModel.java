package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.service.scheduling.Scheduler;
import io.miniinference.service.scheduling.Terms;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// A model all of whose turns are taken by requests of a test, until it lets them go: what arrives
/// meanwhile waits, however fast the device is.
final class HeldModel implements AutoCloseable {
  private static final long MINUTES = 2;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch release = new CountDownLatch(1);
  private final Scheduler scheduler;
  private final Model model;

  /// Takes the turns.
  ///
  /// @param requests one for each turn, of one row; those to a model with open sizes differ in them
  HeldModel(Scheduler scheduler, Model model, List<InferenceRequest> requests) throws Exception {
    this.scheduler = scheduler;
    this.model = model;
    var begun = new CountDownLatch(requests.size());
    for (InferenceRequest request : requests) {
      threads.execute(() -> hold(request, begun));
    }
    assertThat(begun.await(MINUTES, TimeUnit.MINUTES)).as("all turns are taken").isTrue();
  }

  private void hold(InferenceRequest request, CountDownLatch begun) {
    scheduler.infer(
        model,
        new Member<>(
            request,
            outputs -> {
              begun.countDown();
              await();
              return outputs.size();
            }),
        Terms.NONE,
        1);
  }

  private void await() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Returns when that many requests wait.
  void awaitWaiting(int requests) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    while (scheduler.waiting(model) < requests) {
      assertThat(System.nanoTime()).as("%d requests wait", requests).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  /// Lets the turns go. The requests of the test end.
  @Override
  public void close() {
    release.countDown();
    threads.close();
  }
}
