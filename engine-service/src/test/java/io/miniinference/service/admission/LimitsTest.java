package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapEngine;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import io.miniinference.service.engine.RunningEngine;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Limits of single models: in flight, in bytes, in a time, in waiting.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "engine.pool.capacity=1MB",
      "engine.queue.max-requests-per-model=2",
      "engine.queue.max-bytes-per-model=4KB",
      "engine.queue.full-status=429",
      "resilience4j.ratelimiter.configs.inference.limit-for-period=3",
      "resilience4j.ratelimiter.configs.inference.limit-refresh-period=10m",
      "resilience4j.ratelimiter.configs.inference.timeout-duration=0",
      "resilience4j.timelimiter.configs.inference.timeout-duration=5s",
      "management.endpoints.web.exposure.include=health,ratelimiters,timelimiters,timelimiterevents,bulkheads",
    })
@Import(HeapEngineConfiguration.class)
final class LimitsTest {
  private static final String BODY =
      """
      {"inputs":[{"name":"a","shape":[1,3],"datatype":"FP32","data":[1,2,3]},
                 {"name":"b","shape":[1,3],"datatype":"FP32","data":[1,2,3]}]}\
      """;

  @LocalServerPort private int port;
  @Autowired private RunningEngine engine;
  @Autowired private BulkheadRegistry bulkheads;

  @DynamicPropertySource
  static void repository(DynamicPropertyRegistry registry) {
    registry.add(
        "engine.models.repository",
        Repositories.of("adder/1", "waiting/1", "same-f32/1", "same-u8/1")::toString);
  }

  @Test
  void whoeverAsksMoreOftenThanAllowedIsToldToComeAgain() {
    for (int i = 0; i < 3; i++) {
      assertThat(client().infer("adder", BODY).status()).isEqualTo(200);
    }
    Answer tooMany = client().infer("adder", BODY);

    assertThat(tooMany.status()).isEqualTo(429);
    assertThat(tooMany.header("retry-after")).isEqualTo("1");
    assertThat(tooMany.error()).contains("more than 3 requests", "model 'adder'");
    assertThat(client().get("/actuator/ratelimiters").body()).contains("\"adder\"");
    assertThat(client().infer("same-u8", "{").status())
        .as("others have limits of their own")
        .isEqualTo(400);
  }

  @Test
  void oneTooManyIsRefusedAndOneThatWaitsTooLongIsGivenUp() throws Exception {
    var heap = (HeapEngine) engine.engine();
    var first = CompletableFuture.supplyAsync(() -> client().infer("waiting", BODY));
    heap.begun.await();
    var second = CompletableFuture.supplyAsync(() -> client().infer("waiting", BODY));
    awaitFull("inference/waiting");

    Answer third = client().infer("waiting", BODY);
    Answer late = second.get();
    heap.release.release();

    assertThat(third.status()).isEqualTo(429);
    assertThat(third.error()).contains("engine.queue.max-requests-per-model=2");
    assertThat(late.status()).isEqualTo(503);
    assertThat(late.error())
        .contains("deadline passed", "lets requests of its model wait no longer");
    assertThat(first.get().status()).isEqualTo(200);
    assertThat(client().get("/actuator/timelimiterevents/waiting").body())
        .contains("\"type\":\"TIMEOUT\"", "\"type\":\"SUCCESS\"");
  }

  private void awaitFull(String bulkhead) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (bulkheads.bulkhead(bulkhead).getMetrics().getAvailableConcurrentCalls() > 0) {
      assertThat(System.nanoTime()).as("it did not fill in time").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  @Test
  void aBodyWhoseLengthIsTooMuchIsRefusedBeforeItIsRead() {
    Answer refused = client().infer("same-f32", " ".repeat(5_000));

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.error()).contains("4096 bytes", "engine.queue.max-bytes-per-model");
  }

  private Client client() {
    return new Client(port);
  }
}
