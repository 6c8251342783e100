package io.miniinference.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.lower.Precision;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class ConfigurationTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
          .withUserConfiguration(Properties.class);

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(EngineProperties.class)
  static class Properties {}

  @Test
  void theDefaultsAreThoseOfTheManual() {
    runner.run(context -> {
      var engine = context.getBean(EngineProperties.class);
      assertThat(engine.pool().capacity()).isEqualTo(DataSize.ofMegabytes(256));
      assertThat(engine.device()).isEqualTo(EngineProperties.DeviceKind.AUTO);
      assertThat(engine.batching().maxSize()).isEqualTo(256);
      assertThat(engine.models().names()).isEmpty();
      assertThat(engine.cacheDirectory().toString()).contains("mini-inference-engine");
    });
  }

  @ParameterizedTest
  @CsvSource({
    "engine.pool.capacity, 5, must be from 256 to",
    "engine.pool.capacity, much, engine.pool.capacity",
    "engine.device, cuda, engine.device",
    "engine.opencl.codegen, tpu, engine.opencl.codegen",
    "engine.models.settings.m.prepare, batch=one, 'write SYMBOL=SIZE'",
    "engine.specialisations.max, 0, must be greater than or equal to 1",
    "engine.models.settings.m.dimensions.sequence, -1, must be greater than or equal to 0",
    "engine.batching.max-size, 0, must be greater than or equal to 1",
    "engine.instances, -1, must be greater than or equal to 0",
    "engine.queue.max-requests, 0, must be greater than or equal to 1",
    "engine.queue.max-bytes, 0, must be from 1 to",
    "engine.http.max-body-size, 1GB, must be from 1 to 268435456 bytes",
    "engine.http.body-timeout, 0s, must be longer than or equal to",
    "engine.http.body-min-rate, -4KB, must be from 0 to",
    "engine.http.refused-pause, -1s, must be longer than or equal to",
    "engine.http.allowed-origins, app.example.com, 'write ''https://HOST'', '",
    "engine.http.allowed-origins, https://app.example.com/, is no origin",
    "engine.http.allowed-origins, https://*.example.com, is no origin",
    "engine.http.drain-time, -1s, must be longer than or equal to",
    "engine.queue.max-wait, -500ms, must be longer than or equal to",
    "engine.batching.max-delay, -1ms, must be longer than or equal to",
    "engine.loading.max-time, 0s, must be longer than or equal to",
    "engine.device-loss.liveness-after, -60s, must be longer than or equal to",
    "engine.models.settings.m.max-delay, -1ms, 'max-delay is -1ms, less than 0'",
  })
  void aBadValueStopsTheStart(String property, String value, String message) {
    runner
        .withPropertyValues(property + "=" + value)
        .run(context -> assertThat(text(context.getStartupFailure())).contains(message));
  }

  @Test
  void aModelIsSetByItsName() {
    runner
        .withPropertyValues(
            "engine.models.settings.encoder_open.dimensions.max_sequence=128",
            "engine.models.settings.encoder_open.padding.max_sequence=16",
            "engine.models.settings.encoder_open.precision=f16",
            "engine.models.settings.encoder_open.prepare=batch=1,max_sequence=128; batch=8",
            "engine.models.settings[resnet18.v1].dimensions.batch=4")
        .run(context -> {
          var models = context.getBean(EngineProperties.class).models();
          assertThat(models.settingsOf("encoder_open"))
              .isEqualTo(
                  new ModelSettings(
                      Map.of("max_sequence", 128L),
                      "batch=1,max_sequence=128; batch=8",
                      null,
                      null,
                      null,
                      null,
                      null,
                      null,
                      Map.of(),
                      Map.of("max_sequence", 16L),
                      Precision.F16,
                      Map.of()));
          assertThat(models.settingsOf("resnet18.v1").dimensions()).isEqualTo(Map.of("batch", 4L));
          assertThat(models.settingsOf("other")).isEqualTo(ModelSettings.none());
        });
  }

  private static String text(@Nullable Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable t = failure; t != null; t = t.getCause()) {
      text.append(t).append('\n');
    }
    return text.toString();
  }

  @Test
  void everyPropertyIsDescribed() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            EngineProperties.class.getResourceAsStream(
                "/META-INF/spring-configuration-metadata.json"))) {
      JsonNode properties = JsonMapper.builder().build().readTree(in).path("properties");

      assertThat(StreamSupport.stream(properties.spliterator(), false))
          .filteredOn(property -> property.path("name").stringValue().startsWith("engine."))
          .hasSizeGreaterThanOrEqualTo(13)
          .allSatisfy(
              property -> assertThat(property.path("description").asString("")).endsWith("."));
    }
  }
}
