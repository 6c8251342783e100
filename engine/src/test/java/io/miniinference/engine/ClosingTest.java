package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Tensor;
import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of requests and memory when models and engines are closed, or a thread is
/// interrupted.
final class ClosingTest extends LibraryFixture {

  @Test
  void closingTheEngineFreesAllAndIsToldToWhoComesLater() {
    InferenceModel model = load(own, "mnist-cnn");

    own.close();
    own.close();

    assertThat(model.isClosed()).isTrue();
    assertThatThrownBy(() -> own.runtime().pool().statistics())
        .hasMessage("the memory pool is closed");
    assertThatThrownBy(() -> model.run(images(pixels(1, SEED))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "model 'mnist-cnn' is closed, since its engine was closed: open another one and load it"
                + " there");
    assertThatThrownBy(() -> load(own, "mnist-cnn"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the engine is closed: open another one");
  }

  @Test
  void closingAModelGivesItsMemoryBack() {
    long before = own.runtime().pool().statistics().usedBytes();

    load(own, "mnist-mlp").close();

    assertThat(own.runtime().pool().statistics().usedBytes()).isEqualTo(before);
  }

  @Test
  void closingWhileRequestsRunLetsThemEndOneWayOrTheOther() {
    InferenceModel model = load(own, "mnist-cnn");
    float[] pixels = pixels(8, SEED);
    List<CompletableFuture<Map<String, Tensor>>> futures =
        IntStream.range(0, 50).mapToObj(i -> model.runAsync(images(pixels))).toList();
    futures.getFirst().join();

    own.close();

    float[] expected = plain(pixels);
    for (CompletableFuture<Map<String, Tensor>> future : futures) {
      assertThat(future.handle((answer, e) -> outcome(answer, e, expected)).join()).isTrue();
    }
  }

  /* One request has the instance, the others wait for it. */
  @Test
  @Timeout(60)
  void whatWaitsWhenTheEngineClosesIsToldSoAndWhatRunsIsAnswered() throws Exception {
    InferenceModel model =
        own.load("one", file("mnist-cnn"), LoadOptions.defaults().withInstances(1));
    var writing = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> running =
        CompletableFuture.supplyAsync(
            () -> model.runtime().infer(held(writing, goOn), _ -> true), ClosingTest::start);
    writing.await();
    List<CompletableFuture<Map<String, Tensor>>> waiting =
        IntStream.range(0, 4).mapToObj(i -> model.runAsync(images(pixels(1, i)))).toList();

    CompletableFuture<Void> closing = CompletableFuture.runAsync(own::close, ClosingTest::start);

    for (CompletableFuture<Map<String, Tensor>> future : waiting) {
      assertThatThrownBy(future::get)
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("model 'one' is closed, since its engine was closed");
    }
    assertThat(closing).isNotDone();
    goOn.countDown();
    assertThat(running.get()).isTrue();
    closing.get();
  }

  /* The common pool may have a single thread, which is held. */
  private static void start(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
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

  /* Of all instances of a model none is free. */
  @Test
  void aThreadThatIsInterruptedWhileItsRequestWaitsIsToldThatNothingRan() throws Exception {
    InferenceModel model =
        own.load("one", file("mnist-cnn"), LoadOptions.defaults().withInstances(1));
    var writing = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> running =
        CompletableFuture.supplyAsync(
            () -> model.runtime().infer(held(writing, goOn), _ -> true), ClosingTest::start);
    writing.await();

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> model.run(images(pixels(1, SEED))))
        .isInstanceOf(AbandonedRequestException.class);

    assertThat(Thread.interrupted()).isTrue();
    goOn.countDown();
    assertThat(running.get()).isTrue();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aReaderThatClosesItsModelOrEngineIsToldSoAndAllStaysOpen() {
    InferenceModel model = load(own, "mnist-cnn");
    for (AutoCloseable what : List.of(model, own)) {
      assertThatThrownBy(() -> model.runtime().infer(blank(), _ -> closed(what)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith(what == own ? "the engine" : "model 'mnist-cnn'")
          .hasMessageContaining("is closed by the reader of its own request");
    }

    assertThat(model.run(images(pixels(1, SEED)))).containsKey(CNN_OUT);
    own.close();
    assertThat(model.isClosed()).isTrue();
  }

  @Test
  void aFutureOfAModelThatWasClosedFailsAsItsRunDoes() {
    InferenceModel alone = load(own, "mnist-cnn");
    InferenceModel withEngine = load(own, "mnist-mlp");
    alone.close();
    assertRefusedLater(alone, "model 'mnist-cnn' is closed: load it again");

    own.close();
    assertRefusedLater(
        withEngine,
        "model 'mnist-mlp' is closed, since its engine was closed: open another one and load it"
            + " there");
  }

  private static void assertRefusedLater(InferenceModel model, String message) {
    CompletableFuture<Map<String, Tensor>> future = model.runAsync(images(pixels(1, SEED)));
    assertThatThrownBy(future::get)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(message);
  }

  private static InferenceRequest blank() {
    return new InferenceRequest(
        List.of(new long[] {1, 1, 28, 28}), (_, staging) -> staging.fill((byte) 0));
  }

  private static boolean closed(AutoCloseable what) {
    try {
      what.close();
      return true;
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static boolean outcome(Map<String, Tensor> answer, Throwable e, float[] expected) {
    return e == null
        ? Arrays.equals(values(answer, CNN_OUT), expected)
        : e.getCause() instanceof IllegalStateException;
  }
}
