package io.miniinference.service.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.config.EngineProperties.DeviceKind;
import io.miniinference.spring.names.PropertyNamesAutoConfiguration;
import jakarta.validation.Validation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What the chart writes into the service's configuration, bound and checked by the service.
final class ChartPropertiesTest {
  /// A value of each property that is not its default.
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("engine.pool.capacity", "4GB"),
          Map.entry("engine.device", "jvm"),
          Map.entry("engine.opencl.platform", "Portable Computing Language"),
          Map.entry("engine.opencl.device", "1"),
          Map.entry("engine.opencl.codegen", "gpu"),
          Map.entry("engine.models.repository", "/opt/models"),
          Map.entry("engine.models.served-name", "digits"),
          Map.entry("engine.models.names[0]", "on"),
          Map.entry("engine.models.required[0]", "on"),
          Map.entry("engine.models.settings.bert.dimensions.sequence", "128"),
          Map.entry("engine.batching.max-size", "64"),
          Map.entry("engine.batching.enabled", "false"),
          Map.entry("engine.batching.max-delay", "2ms"),
          Map.entry("engine.instances", "3"),
          Map.entry("engine.failure-checks", "false"),
          Map.entry("engine.loops.max-iterations", "1000"),
          Map.entry("engine.specialisations.max", "4"),
          Map.entry("engine.specialisations.warm-up", "7"),
          Map.entry("engine.specialisations.plan-ahead", "9"),
          Map.entry("engine.loading.max-time", "9s"),
          Map.entry("engine.loading.max-work", "1000000"),
          Map.entry("engine.loading.max-operations", "1000000"),
          Map.entry("engine.loading.max-memory", "1GB"),
          Map.entry("engine.planner.search-nodes", "5"),
          Map.entry("engine.planner.rows", "false"),
          Map.entry("engine.queue.max-requests", "12"),
          Map.entry("engine.queue.max-bytes", "65536"),
          Map.entry("engine.queue.max-requests-per-model", "7"),
          Map.entry("engine.queue.max-wait", "2s"),
          Map.entry("engine.queue.max-bytes-per-model", "32768"),
          Map.entry("engine.queue.full-status", "429"),
          Map.entry("engine.precision", "tf32"),
          Map.entry("engine.inference.token", "of clients"),
          Map.entry("engine.repository.token", "of operators"),
          Map.entry("engine.repository.poll", "30s"),
          Map.entry("engine.repository.unsafe-without-token", "true"),
          Map.entry("engine.device-loss.liveness-after", "90s"),
          Map.entry("engine.http.max-connections-per-address", "9"),
          Map.entry("engine.http.drain-time", "3s"),
          Map.entry("engine.http.allowed-origins[0]", "https://app.example.com"),
          Map.entry("engine.http.refused-pause", "4s"),
          Map.entry("engine.metrics.triton-names", "true"),
          Map.entry("engine.cache.directory", "/var/cache/other"),
          Map.entry("engine.http.body-timeout", "5s"),
          Map.entry("engine.http.body-min-rate", "1KB"),
          Map.entry("engine.http.max-body-size", "1MB"));

  private static final String CACHE = "/var/cache/mini-inference-engine";

  @TempDir Path folder;

  @Test
  void theDefaultsAreThoseOfTheServiceButForTheCacheAndReadinessByAnyModel() {
    assertThat(bound(Chart.render(Map.of()).properties()))
        .isEqualTo(boundTo("engine.cache.directory", CACHE));
  }

  @ParameterizedTest
  @MethodSource("propertiesOfTheService")
  void everyPropertyOfTheServiceIsAValueOfTheChart(String property) {
    String path = path(property);
    String value = Objects.requireNonNull(OTHERS.get(path), "no other value of " + property);

    assertThat(bound(Chart.render(Map.of(path, value)).properties()))
        .isEqualTo(boundTo(path, value))
        .isNotEqualTo(bound(Chart.render(Map.of()).properties()));
  }

  /* The property itself, or one of a list or map. */
  private static String path(String property) {
    return OTHERS.keySet().stream()
        .filter(path -> path.matches(Pattern.quote(property) + "(\\[0]|\\.bert\\..*)?"))
        .findFirst()
        .orElse(property);
  }

  static List<String> propertiesOfTheService() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            EngineProperties.class.getResourceAsStream(
                "/META-INF/spring-configuration-metadata.json"))) {
      JsonNode properties = JsonMapper.builder().build().readTree(in).path("properties");
      return StreamSupport.stream(properties.spliterator(), false)
          .map(property -> property.path("name").stringValue())
          .filter(name -> name.startsWith("engine."))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("gpuVendors")
  void aGpuFixesTheDeviceSoThatAPodWithoutItsGpuFails(String vendor) {
    assertThat(device(Map.of("gpu.vendor", vendor))).isEqualTo(DeviceKind.GPU);
    assertThat(device(Map.of("gpu.vendor", vendor, "engine.device", "auto")))
        .isEqualTo(DeviceKind.AUTO);
  }

  static Stream<String> gpuVendors() {
    return Stream.of("nvidia", "amd", "intel");
  }

  private static DeviceKind device(Map<String, String> values) {
    return bound(Chart.render(values).properties()).device();
  }

  @Test
  void largeNumbersOfAFileKeepTheirDigits() throws IOException {
    Path values = folder.resolve("values.yaml");
    Files.writeString(
        values, "engine: {queue: {max-requests: 2000000000, max-bytes: 123456789012}}");

    EngineProperties engine = bound(Chart.render(values).properties());

    assertThat(engine.queue().maxRequests()).isEqualTo(2_000_000_000);
    assertThat(engine.queue().maxBytes().toBytes()).isEqualTo(123_456_789_012L);
  }

  /// As the manual writes them.
  @Test
  void shapesToPrepareAreText() throws IOException {
    String prepare = "prepare: \"batch=1,sequence=32; sequence=16..64/16\"";
    Path values = folder.resolve("values.yaml");
    Files.writeString(values, "engine: {models: {settings: {bert: {" + prepare + "}}}}");

    EngineProperties engine = bound(Chart.render(values).properties());

    assertThat(Files.readString(Chart.FOLDER.resolve("README.md"))).contains(prepare);
    assertThat(Files.readString(Chart.FOLDER.resolve("values.yaml"))).contains(prepare);
    assertThat(
            Objects.requireNonNull(engine.models().settings().get("bert"), "bert").preparedShapes())
        .startsWith(Map.of("batch", 1L, "sequence", 32L))
        .hasSize(5);
  }

  @Test
  void whatTheServiceDoesNotKnowWouldNotBind() {
    assertThatThrownBy(() -> boundTo("engine.batching.smallest", "1"))
        .hasStackTraceContaining("engine.batching.smallest");
  }

  /// The service looks at names before it binds them.
  @ParameterizedTest
  @ValueSource(strings = {"none", "nvidia"})
  void theServiceStartsWithWhatTheChartWrites(String vendor) {
    PropertySource<?> written = Chart.render(Map.of("gpu.vendor", vendor)).properties();

    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(PropertyNamesAutoConfiguration.class))
        .withUserConfiguration(Properties.class)
        .withInitializer(context -> context.getEnvironment().getPropertySources().addFirst(written))
        .run(context -> assertThat(context).hasSingleBean(EngineProperties.class));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(EngineProperties.class)
  static class Properties {}

  private static EngineProperties boundTo(String property, String value) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("engine.cache.directory", CACHE);
    properties.put("engine.models.required[0]", "any");
    properties.put(property, value);
    return bound(new MapPropertySource("expected", properties));
  }

  private static EngineProperties bound(PropertySource<?> source) {
    BindHandler strict = new NoUnboundElementsBindHandler(BindHandler.DEFAULT);
    try (var validators = Validation.buildDefaultValidatorFactory()) {
      var validator = new SpringValidatorAdapter(validators.getValidator());
      return new Binder(Objects.requireNonNull(ConfigurationPropertySource.from(source)))
          .bind(
              "engine",
              Bindable.of(EngineProperties.class),
              new ValidationBindHandler(strict, validator))
          .get();
    }
  }
}
