package io.miniinference.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.spring.names.PropertyNamesAutoConfiguration;
import io.miniinference.spring.names.UnknownPropertyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/// The service has more properties than an application, and refuses others as that does.
final class PropertyNamesTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(PropertyNamesAutoConfiguration.class))
          .withUserConfiguration(Properties.class);

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(EngineProperties.class)
  static class Properties {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "engine.queue.max-requests=1",
        "engine.http.drainTime=1s",
        "engine.metrics.triton-names=true",
        "engine.models.required[0]=any",
        "engine.models.settings.bert.priority=2",
        "engine.models.settings[a.b].labels.probabilities=labels.txt",
      })
  void whatTheServiceAloneHasIsKnownToIt(String property) {
    runner
        .withPropertyValues(property)
        .run(context -> assertThat(context).hasSingleBean(EngineProperties.class));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"engine.models.settings=", "engine.models.settings.bert=", "engine.http="})
  void aGroupThatAFileLeavesEmptySetsNothing(String property) {
    runner.run(usual ->
        runner
            .withPropertyValues(property)
            .run(context ->
                assertThat(context.getBean(EngineProperties.class).http())
                    .isEqualTo(usual.getBean(EngineProperties.class).http())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"engine.models.setings=", "engine.http=60s", "engine.instances.many="})
  void anEmptyValueMakesNoOtherNameKnown(String property) {
    runner
        .withPropertyValues(property)
        .run(context ->
            assertThat(context).getFailure().isInstanceOf(UnknownPropertyException.class));
  }

  @Test
  void whatItHasNotIsRefusedWithTheNearestOfItsOwn() {
    runner
        .withPropertyValues("engine.queue.max-request=1")
        .run(context ->
            assertThat(context)
                .getFailure()
                .isInstanceOf(UnknownPropertyException.class)
                .hasMessageEndingWith("the nearest is 'engine.queue.max-requests'"));
  }
}
