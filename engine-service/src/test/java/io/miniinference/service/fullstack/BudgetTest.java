package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Pools of other sizes: RFC 0002's budgets, and a model that does not fit.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
final class BudgetTest {
  /// Bytes, as a pattern: a filter of nine numbers takes thirty-six.
  private static final String WITH_WINOGRADS_FILTERS = "1,9[0-9,]{6}";

  @Parameter TestedDevice tested;

  private RunningService start(String capacity, int maxBatch, String models) {
    return RunningService.start(
        "engine.device=" + tested.device(),
        "engine.pool.capacity=" + capacity,
        "engine.batching.max-size=" + maxBatch,
        "engine.models.names=" + models);
  }

  @Test
  void fourMegabytesServeMnistCnnOneImageAtATime() throws IOException {
    try (RunningService service = start("4MB", 1, "mnist-cnn")) {
      assertThat(service.isReady()).isTrue();
      assertThat(best(service.client())).isEqualTo(7);
    }
  }

  @Test
  void aHundredAndTwentyEightMegabytesServeMnistCnnInBatchesOf256() {
    try (RunningService service = start("128MB", 256, "mnist-cnn")) {
      assertThat(service.isReady()).isTrue();
      SampleRows.of(Bundled.CNN, service.client(), 1).check(service.client(), 0, 256);
    }
  }

  @Test
  void aModelThatDoesNotFitInBatchesOfOneIsRefusedWithFiguresAndTheOthersServe()
      throws IOException {
    try (RunningService service = start("512KB", 1, "mnist-deep,mnist-cnn")) {
      var refused = service.client().infer("mnist-deep", "{}");
      String weights = tested.isOpenCl() ? WITH_WINOGRADS_FILTERS : "5[0-9,]{6}";

      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.error())
          .containsPattern(
              "model 'mnist-deep' version 1 is not at ready state: does not fit the pool: it needs [0-9,]{7,9} bytes "
                  + "\\(weights "
                  + weights
                  + "; [^)]*\\), the pool of 524,288 has [0-9,]+ free");
      assertThat(service.isReady()).isFalse();
      assertThat(best(service.client())).isEqualTo(7);
      var plan = service.client().get("/actuator/plans/mnist-cnn").json();
      assertThat(service.pool().path("usedBytes")).isEqualTo(plan.path("reservedBytes"));
    }
  }

  @Test
  void theLargestBatchIsFoundToTheByte() throws IOException {
    long whole = reservedBytes("32MB", 16);
    try (RunningService service = start(whole + "B", 16, "mnist-deep")) {
      assertThat(service.engine().pool().statistics().freeBytes()).isZero();
    }
    try (RunningService service = start(whole - 256 + "B", 16, "mnist-deep")) {
      assertThat(service.isReady()).isTrue();
      int found = largestBatch(service.client());
      assertThat(found).isBetween(1, 8);
      assertThat(service.engine().pool().statistics().usedBytes())
          .isEqualTo(reservedBytes("32MB", found));
      SampleRows.of(Bundled.DEEP, service.client(), 1).check(service.client(), 0, found);
    }
  }

  private static int largestBatch(Client client) {
    return client.get("/v2/models/mnist-deep/config").json().path("max_batch_size").intValue();
  }

  private long reservedBytes(String capacity, int maxBatch) {
    try (RunningService service = start(capacity, maxBatch, "mnist-deep")) {
      return service
          .client()
          .get("/actuator/plans/mnist-deep")
          .json()
          .path("reservedBytes")
          .longValue();
    }
  }

  private static int best(Client client) throws IOException {
    return Bundled.best(Bundled.values(client.infer("mnist-cnn", DrawnDigit.request())), 0);
  }
}
