package io.miniinference.spring.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.spring.EngineAutoConfiguration;
import io.miniinference.spring.EngineProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/// A property that an application does not have stops its start.
final class UnknownPropertiesTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  PropertyNamesAutoConfiguration.class, EngineAutoConfiguration.class))
          .withPropertyValues(
              "engine.device=jvm",
              "engine.pool.capacity=1MB",
              "engine.cache.directory=target/device-cache");

  /// A class of an application, below the engine's prefix.
  @ConfigurationProperties("engine.diesel")
  static class Diesel {
    private int cylinders;

    public int getCylinders() {
      return cylinders;
    }

    public void setCylinders(int cylinders) {
      this.cylinders = cylinders;
    }
  }

  /// A record of an application, with a part that is none.
  @ConfigurationProperties("engine.steam")
  record Steam(int pressure, @Nullable Diesel spare) {}

  /// A record of an application, beside the engine's own.
  @ConfigurationProperties("engine")
  record Home(@Nullable String home) {}

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(Home.class)
  static class OwnHome {}

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties({Diesel.class, Steam.class})
  static class OwnProperties {
    @Bean
    @ConfigurationProperties("engine.second")
    Diesel second() {
      return new Diesel();
    }
  }

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
    "engine.loading.max-time.seconds, engine.loading.max-time",
    "engine.models.repositry, engine.models.repository",
    "enigne.pool.capacity, engine.pool.capacity",
    "engines.models.settings.bert.prepare, engine.models.settings.bert.prepare",
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
        "engine.models.names[0]=mnist-mlp",
        "engine.models.settings.bert.dimensions.max_sequence=4",
        "engine.models.settings[resnet18.v1].prepare=batch=1",
        "engine.models.settings.my_bert.max_batch_size=4",
        "engine.cache.directory=target/other-cache",
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
            "ENGINE_PORT_8080_TCP_ADDR", "10.0.0.1",
            "ENGINE_MINI_INFERENCE_ENGINE_SERVICE_HOST", "10.0.0.1",
            "ENGINE_MINI_INFERENCE_ENGINE_SERVICE_PORT_REST", "8080",
            "ENGINE_MINI_INFERENCE_ENGINE_PORT", "tcp://10.0.0.1:8080",
            "ENGINE_MINI_INFERENCE_ENGINE_PORT_8080_TCP_PROTO", "tcp");

    withEnvironment(variables)
        .run(context -> assertThat(context).hasSingleBean(EngineProperties.class));
    withEnvironment(Map.of("ENGINE_POOL_SIZE", "1MB"))
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasMessageContainingAll("engine.pool.size", "ENGINE_POOL_SIZE"));
  }

  /* A list in YAML, as a model.yaml has it. */
  @Test
  void aListOfShapesIsToldToBeOneText() {
    runner
        .withPropertyValues(
            "engine.models.settings.enc.prepare[0].batch=1",
            "engine.models.settings.enc.prepare[0].sequence=32")
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasMessageContaining(
                    "'engine.models.settings.enc.prepare' is one text, and no list, such as"
                        + " 'batch=1,sequence=32; sequence=16..64/16'"));
  }

  @Test
  void aMisspeltNameIsToldBeforeModelsAreMissedThatItMayName() {
    runner
        .withPropertyValues("engine.models.repositry=models", "engine.models.names=resnet18")
        .run(context ->
            assertThat(context)
                .getFailure()
                .isInstanceOf(UnknownPropertyException.class)
                .hasMessageContaining("'engine.models.repository'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "engine.queue.max-requests",
        "engine.models.required",
        "engine.models.settings.bert.versions",
        "engine.models.settings.bert.required",
        "engine.models.settings.bert.labels.scores",
        "engine.batching.maxDelay",
        "engine.repository.poll",
      })
  void aPropertyThatTheServiceAloneHasIsToldAsThat(String name) {
    runner
        .withPropertyValues(name + "=4")
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasMessageContaining("unknown property '" + name + "'")
                .hasMessageEndingWith(
                    "this is a property of the service, and the starter does not have it"));
  }

  /// So that a property which the service gets is one of these or the starter's.
  @Test
  void allPropertiesOfThePageOfSettingsAreKnownOrTheServices() throws IOException {
    KnownNames own = KnownNames.of(EngineProperties.class);
    KnownNames services = ServiceNames.belowRoot();

    assertThat(
            Pattern.compile("^\\| `engine\\.([^`]+)`", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("../docs/settings.md")))
                .results()
                .map(row -> row.group(1)))
        .hasSizeGreaterThan(30)
        .filteredOn(name -> !name.equals("models.settings"))
        .allSatisfy(name -> {
          List<String> elements = List.of(name.split("\\."));
          assertThat(own.has(elements, false)).isNotEqualTo(services.has(elements, false));
        });
  }

  @Test
  void aNameThatIsLikeNoneIsToldHowToKeepIt() {
    withEnvironment(Map.of("ENGINE_HOME", "/opt/engine"))
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasMessageContainingAll(
                    "engine.home",
                    "ENGINE_HOME",
                    "no property is like it, and all names below 'engine' are checked",
                    "@ConfigurationProperties")
                .hasMessageNotContaining("the nearest"));
    withEnvironment(Map.of("ENGINE_HOME", "/opt/engine"))
        .withUserConfiguration(OwnHome.class)
        .run(context -> assertThat(context.getBean(Home.class).home()).isEqualTo("/opt/engine"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"engine.grpc.port=9000", "engine.http.port=1", "engine.server.address=::"})
  void portsAndAddressesAreThoseOfSpringBoot(String property) {
    runner
        .withPropertyValues(property)
        .run(context ->
            assertThat(context).getFailure().hasMessageContaining("spring.grpc.server.* for gRPC"));
  }

  @Test
  void namesThatClassesOfTheApplicationBindAreItsOwn() {
    ApplicationContextRunner own = runner.withUserConfiguration(OwnProperties.class);

    own.withPropertyValues(
            "engine.diesel.cylinders=6",
            "engine.second.cylinders=4",
            "engine.steam.pressure=3",
            "engine.steam.spare.cylinders=2")
        .run(context -> {
          assertThat(context.getBean("second", Diesel.class).getCylinders()).isEqualTo(4);
          assertThat(context.getBean(Steam.class).pressure()).isEqualTo(3);
        });
    own.withPropertyValues("engine.steam.presure=3")
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasMessageEndingWith("the nearest is 'engine.steam.pressure'"));
  }

  @Test
  void anApplicationThatFailsSaysWhatToDo() {
    runner
        .withPropertyValues("engine.pool.capcity=1GB")
        .run(context -> {
          FailureAnalysis told =
              Objects.requireNonNull(
                  new UnknownPropertyFailureAnalyzer()
                      .analyze(Objects.requireNonNull(context.getStartupFailure())));
          assertThat(told.getDescription())
              .startsWith("unknown property 'engine.pool.capcity'")
              .endsWith("the nearest is 'engine.pool.capacity'");
          assertThat(told.getAction()).startsWith("Correct the name");
        });
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
