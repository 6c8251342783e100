package io.miniinference.service.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.LoggedLines;
import io.miniinference.service.doubles.Repositories;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;

final class LastLineTest {

  @Test
  void aServiceThatEndsSaysSo() {
    var application =
        new SpringApplication(MiniInferenceEngine.class, HeapEngineConfiguration.class);
    var service =
        application.run(
            "--server.port=0",
            "--spring.grpc.server.port=0",
            "--engine.pool.capacity=1MB",
            "--engine.models.repository=" + Repositories.of("adder/1"));
    try (var lines = new LoggedLines(LastLine.class)) {
      service.close();

      assertThat(lines.containing("stopped in"))
          .singleElement()
          .asString()
          .endsWith(" s: 0 requests were answered meanwhile, and none is left");
    }
  }

  @Test
  void itCountsWhatWasAnsweredMeanwhile() {
    assertThat(LastLine.line(0.26, 1))
        .isEqualTo("stopped in 0.3 s: 1 request was answered meanwhile, and none is left");
    assertThat(LastLine.line(2, 12)).contains("12 requests were answered");
  }
}
