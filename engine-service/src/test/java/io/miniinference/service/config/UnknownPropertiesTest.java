package io.miniinference.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/// A property that the service does not have stops its start.
final class UnknownPropertiesTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner().withUserConfiguration(Properties.class);

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(EngineProperties.class)
  @org.springframework.context.annotation.Import(UnknownProperties.class)
  static class Properties {}

  @ParameterizedTest
  @CsvSource({
    "engine.pool.capcity, engine.pool.capacity",
    "engine.pool.capacity.bytes, engine.pool.capacity",
    "engine.batching.maxsize.x, engine.batching.max-size",
    "engine.capacity, engine.pool.capacity",
    "engine.modles.names, engine.models.names",
    "engine.models.settings.bert.dimension.sequence, engine.models.settings.bert.dimensions",
    "engine.models.settings.bert.prepar, engine.models.settings.bert.prepare",
    "engine.batching.max.size, engine.batching.max-size",
  })
  void aMisspeltNameIsRefusedWithTheNearestOne(String name, String nearest) {
    runner
        .withPropertyValues(name + "=1")
        .run(context ->
            assertThat(context)
                .getFailure()
                .isInstanceOf(UnknownPropertyException.class)
                .hasMessageContaining("unknown property '" + name + "'")
                .hasMessageEndingWith("the nearest is '" + nearest + "'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "engine.pool.capacity=1MB",
        "engine.batching.maxSize=4",
        "engine.models.names[0]=a",
        "engine.models.settings.bert.dimensions.max_sequence=4",
        "engine.models.settings[resnet18.v1].prepare=batch=1",
        "engines.pool=1",
      })
  void aKnownNameIsTakenInEachForm(String property) {
    runner
        .withPropertyValues(property)
        .run(context -> assertThat(context).hasSingleBean(EngineProperties.class));
  }

  @Test
  void theEnvironmentIsLookedThroughButForWhatKubernetesPutsThere() {
    Map<String, Object> variables =
        Map.of(
            "ENGINE_POOL_CAPACITY", "1MB",
            "ENGINE_BATCHING_MAX_SIZE", "4",
            "ENGINE_BATCHING_MAXSIZE", "4",
            "ENGINE_MODELS_SETTINGS_BERT_DIMENSIONS_SEQUENCE", "4",
            "ENGINE_SERVICE_HOST", "10.0.0.1",
            "ENGINE_PORT_8080_TCP_ADDR", "10.0.0.1");

    withEnvironment(variables)
        .run(context -> assertThat(context).hasSingleBean(EngineProperties.class));
    withEnvironment(Map.of("ENGINE_POOL_SIZE", "1MB"))
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasMessageContainingAll("engine.pool.size", "ENGINE_POOL_SIZE"));
  }

  private ApplicationContextRunner withEnvironment(Map<String, Object> variables) {
    return runner.withInitializer(context ->
        context
            .getEnvironment()
            .getPropertySources()
            .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
  }

  @Test
  void allThatAreMisspeltAreToldWithTheirPlaces() {
    runner
        .withPropertyValues("engine.devise=jvm")
        .withInitializer(context ->
            context
                .getEnvironment()
                .getPropertySources()
                .addFirst(new SimpleCommandLinePropertySource("--engine.instance=2")))
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasMessageContainingAll(
                    "'engine.instance' (command line): the nearest is 'engine.instances'",
                    "'engine.devise'",
                    "the nearest is 'engine.device'"));
  }
}
