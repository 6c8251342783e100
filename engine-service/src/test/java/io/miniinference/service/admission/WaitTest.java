package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// A service where each wait for a processor is too long.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"engine.pool.capacity=1MB", "engine.queue.max-wait=1ns"})
@Import(HeapEngineConfiguration.class)
final class WaitTest {
  private static final String BODY =
      """
      {"inputs":[{"name":"a","shape":[1,3],"datatype":"FP32","data":[1,2,3]},
                 {"name":"b","shape":[1,3],"datatype":"FP32","data":[1,2,3]}]}\
      """;

  @LocalServerPort private int port;

  @DynamicPropertySource
  static void repository(DynamicPropertyRegistry registry) {
    registry.add("engine.models.repository", Repositories.of("adder/1")::toString);
  }

  @Test
  void requestsThatAllWaitTooLongForAProcessorAreRefusedAfterAWindow() {
    var client = new Client(port);
    Answer answer = client.infer("adder", BODY);
    assertThat(answer.status()).isEqualTo(200);

    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (answer.status() == 200 && System.nanoTime() < end) {
      answer = client.infer("adder", BODY);
    }

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.header("retry-after")).isEqualTo("1");
    assertThat(answer.error())
        .contains("more requests come than processors serve", "engine.queue.max-wait");
    assertThat(client.get("/v2/health/live").status()).isEqualTo(200);
  }
}
