package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// Readers and writers that would wait for their own request, of models that were planned at load
/// and of those that are planned per shape.
@OnEachDevice(
    value = {TestedDevice.JVM, TestedDevice.CPU},
    optimised = false)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class OwnRequestTest extends EnginePerTest {
  private static final LoadOptions ONE = LoadOptions.defaults().withInstances(1);

  private Model planned(int instances) {
    return engine().load(TinyModels.doubling(), LoadOptions.defaults().withInstances(instances));
  }

  private Model perShape() {
    return engine().load(TinyModels.picking("A", "B"), ONE);
  }

  private static float[] ask(Model model) {
    return model.name().equals("doubling")
        ? TinyModels.doubled(model, 1, 3)
        : TinyModels.picked(model, new long[] {1, 2}, 1, 2);
  }

  private static InferenceRequest request(Model model) {
    long[] shape = {1, model.name().equals("doubling") ? TinyModels.WIDTH : 2};
    return new InferenceRequest(List.of(shape), (_, staging) -> staging.fill((byte) 0));
  }

  private static <T> T reading(Model model, Supplier<T> work) {
    return model.infer(request(model), _ -> work.get());
  }

  private static Object toldTo(Model model, Supplier<Object> reader) {
    return reading(model, reader);
  }

  private static Object closed(AutoCloseable what) {
    try {
      what.close();
      return true;
    } catch (Exception e) {
      return e;
    }
  }

  private void assertStaysOpen(Model model) {
    String refusal =
        " is closed by the reader of its own request (or its writer), for which closing waits: close it after the answer is read";
    assertThat(ask(model)).isNotEmpty();
    assertThat(toldTo(model, () -> closed(model)))
        .isInstanceOf(IllegalStateException.class)
        .hasToString(
            OwnRequestException.class.getName() + ": model '" + model.name() + "'" + refusal);
    assertThat(toldTo(model, () -> closed(engine())))
        .hasToString(OwnRequestException.class.getName() + ": the engine" + refusal);

    assertThat(model.isClosed()).isFalse();
    assertThat(ask(model)).isNotEmpty();
    model.close();
    assertThat(model.isClosed()).isTrue();
  }

  @Test
  void aReaderThatClosesItsModelOrEngineIsToldSoAndAllStaysOpen() {
    assertStaysOpen(planned(1));
    assertStaysOpen(planned(2));
    assertStaysOpen(perShape());
  }

  @Test
  void soIsAWriter() {
    for (Model model : List.of(planned(1), perShape())) {
      ask(model);
      InferenceRequest closing =
          new InferenceRequest(request(model).shapes(), (_, _) -> model.close());

      assertThatThrownBy(() -> model.infer(closing, _ -> 1))
          .isInstanceOf(OwnRequestException.class);

      assertThat(ask(model)).isNotEmpty();
      model.close();
    }
  }

  @Test
  void aReaderClosesOtherModels() {
    Model other = perShape();
    ask(other);

    assertThat(toldTo(planned(1), () -> closed(other))).isEqualTo(true);
    assertThat(other.isClosed()).isTrue();
  }

  /* The one who closes has the monitor, and waits for the request. */
  @Test
  void aReaderIsToldSoWhileAnotherThreadCloses() throws Exception {
    for (Model model : List.of(planned(1), perShape())) {
      ask(model);
      var started = new CountDownLatch(1);
      Object told =
          reading(
              model,
              () -> {
                Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                      started.countDown();
                      model.close();
                    });
                awaitClosing(model, started);
                return closed(model);
              });

      assertThat(told).isInstanceOf(OwnRequestException.class);
      model.close();
    }
  }

  private static void awaitClosing(Model model, CountDownLatch started) {
    try {
      started.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    while (!model.isClosed()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aReaderThatAsksItsModelIsToldSoWhereNothingIsFree() {
    for (Model model : List.of(planned(1), perShape())) {
      ask(model);

      assertThatThrownBy(() -> reading(model, () -> ask(model)))
          .isInstanceOf(OwnRequestException.class)
          .hasMessage(
              "model '%s' is asked by the reader of its own request (or its writer), and nothing else is free to serve that: ask it after the answer is read"
                  .formatted(model.name()));

      assertThat(CompletableFuture.supplyAsync(() -> ask(model)).join()).isNotEmpty();
      model.close();
    }
  }

  @Test
  void aReaderThatAsksItsModelIsAnsweredWhereAnInstanceIsFree() {
    Model model = planned(2);

    assertThat(reading(model, () -> ask(model))).containsOnly(6);
    assertThat(toldTo(model, () -> closed(model))).isInstanceOf(OwnRequestException.class);
    model.close();
  }

  @Test
  void aReaderThatAsksItsModelInAnotherShapeIsAnswered() {
    Model model = perShape();

    assertThat(reading(model, () -> TinyModels.picked(model, new long[] {1, 3}, 1, 2, 3)))
        .containsExactly(10, 11, 20, 21, 30, 31);
    model.close();
  }
}
