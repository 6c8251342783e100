package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Tensor;
import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.ForwardingModel;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.Signature;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Futures of requests whose callers gave up.
@Timeout(60)
final class FuturesTest extends LibraryFixture {

  @Test
  void whoCancelsOrTimesOutTakesTheRequestBackAndTheOthersAreAnswered() throws Exception {
    var writing = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var watched = new WatchedModel(oneInstance(), 3, 2);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var model = new InferenceModel(watched, threads, () -> false);
      threads.execute(() -> watched.model().infer(held(writing, goOn), _ -> true));
      writing.await();

      CompletableFuture<Map<String, Tensor>> cancelled = model.runAsync(images(pixels(1, SEED)));
      CompletableFuture<Map<String, Tensor>> late = model.runAsync(images(pixels(1, SEED)));
      CompletableFuture<Map<String, Tensor>> patient = model.runAsync(images(pixels(1, SEED)));
      watched.asked.await();

      try {
        assertThat(cancelled.cancel(false)).isTrue();
        assertThatThrownBy(late.orTimeout(1, TimeUnit.MILLISECONDS)::get)
            .hasCauseInstanceOf(TimeoutException.class);
        assertThat(watched.takenBack.await(20, TimeUnit.SECONDS)).isTrue();
      } finally {
        goOn.countDown();
      }
      assertThat(patient.get()).containsKey(CNN_OUT);
    }
  }

  @Test
  void whatRunsWhenItsFutureIsCancelledEndsAndTheModelServesOn() throws Exception {
    InferenceModel model = load(own, "mnist-cnn");
    float[] pixels = pixels(8, SEED);
    for (int i = 0; i < 50; i++) {
      CompletableFuture<Map<String, Tensor>> future = model.runAsync(images(pixels));
      TimeUnit.MICROSECONDS.sleep(20L * i);
      future.cancel(true);
    }

    assertThat(values(model.run(images(pixels)), CNN_OUT)).isEqualTo(plain(pixels));
  }

  private Model oneInstance() {
    return own.load("one", file("mnist-cnn"), LoadOptions.defaults().withInstances(1)).runtime();
  }

  private static InferenceRequest held(CountDownLatch writing, CountDownLatch goOn) {
    return new InferenceRequest(
        List.of(new long[] {1, 1, 28, 28}),
        (_, _) -> {
          writing.countDown();
          await(goOn);
        });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Counts down for each request that comes, and for each that is abandoned.
  private static final class WatchedModel extends ForwardingModel {
    final CountDownLatch asked;
    final CountDownLatch takenBack;

    WatchedModel(Model model, int asked, int takenBack) {
      super(model);
      this.asked = new CountDownLatch(asked);
      this.takenBack = new CountDownLatch(takenBack);
    }

    Model model() {
      return model;
    }

    @Override
    public Signature signature() {
      return model.signature();
    }

    @Override
    public <T> T infer(InferenceRequest request, ResponseReader<T> reader) {
      asked.countDown();
      try {
        return model.infer(request, reader);
      } catch (AbandonedRequestException e) {
        takenBack.countDown();
        throw e;
      }
    }
  }
}
