package io.miniinference.service.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.runtime.Engine;
import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.catalog.EarlyModels;
import io.miniinference.service.engine.EarlyEngine;
import io.miniinference.service.engine.RunningEngine;
import io.miniinference.spring.names.UnknownPropertyException;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

final class EarlyStartTest {
  private final EarlyStart early = new EarlyStart();

  @Test
  void theServiceRunsOnTheEngineThatOpenedEarly() {
    try (ConfigurableApplicationContext context = start()) {
      Engine engine = engine();

      assertThat(context.getBean(RunningEngine.class).engine()).isSameAs(engine);
      assertThat(engine.pool().statistics().usedBytes()).isPositive();
    }
    assertThat(engine().pool().isClosed()).isTrue();
  }

  @Test
  void theServiceTakesTheModelsThatWerePreparedEarly() {
    try (ConfigurableApplicationContext context = start()) {
      assertThat(context.getBean("earlyModels", EarlyModels.class).left()).isZero();
    }
  }

  @Test
  void anEngineThatIsOpenedAgainIsANewOne() {
    try (ConfigurableApplicationContext context = start()) {
      RunningEngine running = context.getBean(RunningEngine.class);
      running.reopen();

      assertThat(running.engine()).isNotSameAs(engine());
      assertThat(engine().pool().isClosed()).isTrue();
    }
  }

  @Test
  void aStartThatFailsClosesTheEngineThatOpenedEarly() {
    assertThatThrownBy(() -> start("--engine.pool.capasity=1MB"))
        .isInstanceOf(UnknownPropertyException.class);

    assertThat(engine().pool().isClosed()).isTrue();
  }

  @Test
  void propertiesThatCannotBeBoundAreToldByTheBeans() {
    assertThatThrownBy(() -> start("--engine.pool.capacity=much"))
        .rootCause()
        .hasMessageContaining("much");

    assertThat(early.engine()).isNull();
  }

  private Engine engine() {
    EarlyEngine engine = Objects.requireNonNull(early.engine());
    return engine.open().orElseThrow();
  }

  private ConfigurableApplicationContext start(String... properties) {
    var application = new SpringApplication(MiniInferenceEngine.class);
    application.addListeners(early);
    application.addInitializers(early);
    return application.run(
        Stream.concat(
                Stream.of(
                    "--server.port=0",
                    "--spring.grpc.server.port=0",
                    "--engine.device=jvm",
                    "--engine.pool.capacity=4MB",
                    "--engine.batching.max-size=4",
                    "--engine.models.names=mnist-mlp"),
                Stream.of(properties))
            .toArray(String[]::new));
  }
}
