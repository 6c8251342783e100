package io.miniinference.service.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.config.EngineProperties;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/// What a user reads of a value that is none.
final class UnreadableValueFailureAnalyzerTest {
  @Test
  void aSizeIsToldWithoutTypesAndAnnotations() {
    assertThat(first(failure(EngineProperties.class, "engine.pool.capacity", "1GiB")))
        .extracting(FailureAnalysis::getDescription)
        .isEqualTo(
            "engine.pool.capacity is '1GiB': it takes a size such as 256MB or 1GB (B, KB, MB, GB or"
                + " TB, where 1KB is 1024 bytes)");
  }

  @Test
  void aChoiceIsToldWithAllThatThereAre() {
    assertThat(first(failure(EngineProperties.class, "engine.device", "cuda")))
        .extracting(FailureAnalysis::getDescription)
        .isEqualTo("engine.device is 'cuda': it takes auto, gpu, opencl, jvm");
  }

  @Test
  void propertiesOfSpringAreToldTheSameWay() {
    assertThat(first(failure(Integer.class, "server.port", "many")))
        .extracting(FailureAnalysis::getDescription)
        .isEqualTo("server.port is 'many': it takes a number");
  }

  private static BindException failure(Class<?> type, String name, String value) {
    var source = new MapConfigurationPropertySource(Map.of(name, value));
    String prefix = type == EngineProperties.class ? "engine" : name;
    try {
      new Binder(source).bindOrCreate(prefix, type);
    } catch (BindException e) {
      return e;
    }
    throw new AssertionError(value + " is a value of " + name);
  }

  /* As Spring asks them. */
  private static @Nullable FailureAnalysis first(Throwable failure) {
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(
            FailureAnalyzer.class,
            SpringFactoriesLoader.FailureHandler.handleMessage((message, thrown) -> {}))
        .stream()
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }
}
