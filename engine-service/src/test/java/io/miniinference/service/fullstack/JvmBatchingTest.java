package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// Requests side by side: those that find the model busy run together, each gets its own answer,
/// and one with a bad index fails alone.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JvmBatchingTest {
  private static final int REQUESTS = 400;
  private static final int AT_ONCE = 48;
  private static final int BAD_EVERY = 10;

  private final RunningService service =
      RunningService.start("engine.device=jvm", "engine.models.names=number-words");

  @AfterAll
  void stop() {
    service.close();
  }

  @Test
  void eachRequestGetsItsOwnAnswerAndABadOneFailsAlone() throws Exception {
    long seed = new Random().nextLong();
    SampleRows rows = SampleRows.of(Bundled.WORDS, service.client(), seed);
    List<Future<?>> answers = new ArrayList<>();
    HeldModel busy = service.hold("number-words", _ -> List.of(new long[] {1, 20}));
    try (busy;
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int i = 0; i < REQUESTS; i++) {
        int first = i;
        answers.add(
            threads.submit(() -> {
              if (first % BAD_EVERY == 0) {
                checkBad();
              } else {
                rows.check(service.client(), first, 1 + first % 3);
              }
            }));
      }
      busy.awaitWaiting(AT_ONCE);
      busy.close();
      for (Future<?> answer : answers) {
        answer.get();
      }
    }

    var statistics =
        service.client().get("/v2/models/number-words/stats").json().path("model_stats").path(0);
    assertThat(statistics.path("execution_count").longValue())
        .as("batches of requests, seed %d", seed)
        .isLessThan(statistics.path("inference_stats").path("success").path("count").longValue());
  }

  private void checkBad() {
    Answer answer = Bundled.WORDS.infer(service.client(), 1, "812" + ",1".repeat(19));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).contains("index 812 is outside").contains("at row 0, position 0");
  }
}
