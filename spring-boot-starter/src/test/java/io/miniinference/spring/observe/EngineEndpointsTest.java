package io.miniinference.spring.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.spring.EngineAutoConfiguration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/// What the endpoints of an application answer.
final class EngineEndpointsTest {

  @Test
  void plansAreShownInEachForm() {
    run(context -> {
      PlansEndpoint plans = context.getBean(PlansEndpoint.class);

      assertThat(plans.models().get("models")).containsExactly("mnist-cnn");
      assertThat(plans.plan(PlanFormat.TEXT, "mnist-cnn", 2, null).getBody()).contains("arena");
      assertThat(plans.plan(PlanFormat.TEXT, "mnist-cnn", 2, "svg").getBody()).startsWith("<svg");
      assertThat(plans.plan(PlanFormat.TEXT, "other", null, null).getStatus()).isEqualTo(404);
    });
  }

  @Test
  void thePoolIsShownInEachForm() {
    run(context -> {
      MemoryPoolEndpoint pool = context.getBean(MemoryPoolEndpoint.class);

      assertThat(pool.show(PoolFormat.TEXT).getBody()).startsWith("capacity 268,435,456 bytes");
      assertThat(pool.show(PoolFormat.JSON).getBody())
          .startsWith("{\"statistics\":{\"capacityBytes\":268435456,")
          .contains("\"events\":{\"allocations\":", "},\"map\":{");
    });
  }

  private static void run(Consumer<ApplicationContext> test) {
    new WebApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                EngineAutoConfiguration.class, EngineEndpointsAutoConfiguration.class))
        .withPropertyValues(
            "engine.device=jvm",
            "engine.cache.directory=target/device-cache",
            "engine.models.names=mnist-cnn",
            "management.endpoints.web.exposure.include=memorypool,plans")
        .run(test::accept);
  }
}
