package io.miniinference.service.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.LoggedLines;
import io.miniinference.service.doubles.Repositories;
import io.miniinference.service.serving.Statistics;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;

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

  /* The management's own port has a context that ends behind the last answer. */
  @Test
  void itsTimeBeginsWithTheEndOfTheServiceItself() {
    var service = new GenericApplicationContext();
    var now = new AtomicLong();
    var last = new LastLine(new Statistics(), service, now::get);
    try (var lines = new LoggedLines(LastLine.class)) {
      last.start();
      last.ending(new ContextClosedEvent(service));
      now.set(200_000_000);
      last.ending(new ContextClosedEvent(new GenericApplicationContext(service)));
      last.stop();

      assertThat(lines.containing("stopped in 0.2 s")).hasSize(1);
      assertThat(lines.containing("stopped in")).hasSize(1);
    }
  }

  @Test
  void itCountsWhatWasAnsweredMeanwhile() {
    assertThat(LastLine.line(0.26, 1))
        .isEqualTo("stopped in 0.3 s: 1 request was answered meanwhile, and none is left");
    assertThat(LastLine.line(2, 12)).contains("12 requests were answered");
  }
}
