package io.miniinference.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.ir.Tensor;
import io.miniinference.repository.BundledModels;
import io.miniinference.spring.observe.EngineEndpointsAutoConfiguration;
import io.miniinference.spring.observe.EngineHealthAutoConfiguration;
import io.miniinference.spring.observe.EngineMetersAutoConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/// What an application gets from its properties.
@ExtendWith(OutputCaptureExtension.class)
final class EngineAutoConfigurationTest {
  private static final AutoConfigurations ALL =
      AutoConfigurations.of(
          EngineAutoConfiguration.class,
          EngineHealthAutoConfiguration.class,
          EngineMetersAutoConfiguration.class,
          EngineEndpointsAutoConfiguration.class);

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(ALL)
          .withPropertyValues(
              "engine.device=jvm",
              "engine.pool.capacity=16MB",
              "engine.cache.directory=target/device-cache");

  @Test
  void modelsAreBeansUnderTheirNames() {
    application
        .withPropertyValues("engine.models.names=mnist-cnn,mnist-mlp")
        .run(context -> {
          InferenceModel cnn = context.getBean("mnist-cnn", InferenceModel.class);
          Tensor scores = cnn.run(Tensor.of(new float[784], 1, 1, 28, 28));
          assertThat(scores.floats()).hasSize(10);
          assertThat(context.getBeansOfType(InferenceModel.class))
              .containsOnlyKeys("mnist-cnn", "mnist-mlp");
        });
  }

  @Test
  void withoutModelsThereIsTheEngineAlone() {
    application.run(context -> {
      assertThat(context).hasSingleBean(InferenceEngine.class);
      assertThat(context).doesNotHaveBean(InferenceModel.class);
    });
  }

  @Test
  void anEngineOfTheApplicationIsKept() {
    application
        .withBean(
            "own", InferenceEngine.class, () -> InferenceEngine.open(options().engineOptions()))
        .withPropertyValues("engine.models.names=mnist-cnn")
        .run(context -> {
          assertThat(context).hasSingleBean(InferenceEngine.class);
          assertThat(context.getBean(InferenceEngine.class).runtime().pool().capacity())
              .isEqualTo(8 << 20);
          assertThat(context).hasSingleBean(InferenceModel.class);
        });
  }

  private static EngineProperties options() {
    return new Binder(
            new MapConfigurationPropertySource(
                Map.of("engine.device", "jvm", "engine.pool.capacity", "8MB")))
        .bindOrCreate("engine", EngineProperties.class);
  }

  @Test
  void aMissingModelIsToldWithThoseThatAreThere() {
    application
        .withPropertyValues("engine.models.names=minst")
        .run(context ->
            assertThat(context.getStartupFailure())
                .hasMessageContaining("engine.models.names has 'minst'")
                .hasMessageContaining("mnist-cnn, mnist-deep"));
  }

  @Test
  void aFolderThatIsNoModelIsTold(@TempDir Path folder, CapturedOutput log) throws IOException {
    Files.createFile(Files.createDirectories(folder.resolve("bert/1")).resolve("model.pt"));
    ApplicationContextRunner own =
        application.withPropertyValues("engine.models.repository=" + folder);

    own.run(context -> assertThat(context).hasNotFailed());
    assertThat(log.getOut()).contains("is left out of the models: 'model.pt' is not an ONNX model");
    own.withPropertyValues("engine.models.names=bert")
        .run(context ->
            assertThat(context.getStartupFailure())
                .hasMessageContaining("there is no model; the folder bert is left out")
                .hasMessageContaining("'model.pt' is not an ONNX model"));
  }

  @Test
  void ofSeveralVersionsTheHighestIsLoadedAndTold(@TempDir Path folder, CapturedOutput log)
      throws IOException {
    Path bundled =
        BundledModels.unpack(Path.of("target/device-cache")).find("mnist-mlp").orElseThrow().path();
    for (String version : List.of("9", "10")) {
      Path of = Files.createDirectories(folder.resolve("digits").resolve(version));
      Files.copy(bundled, of.resolve("model.onnx"));
    }

    application
        .withPropertyValues("engine.models.repository=" + folder)
        .run(context -> assertThat(context).hasBean("digits"));

    assertThat(log.getOut())
        .contains(
            "model 'digits' version 10 (%s) is loaded on"
                .formatted(folder.resolve("digits/10/model.onnx")));
  }

  @Test
  void settingsBesideAModelAreToldToBeTheServices(@TempDir Path folder, CapturedOutput log)
      throws IOException {
    Path bundled =
        BundledModels.unpack(Path.of("target/device-cache")).find("mnist-mlp").orElseThrow().path();
    Path yaml = Files.createDirectories(folder.resolve("digits")).resolve("model.yaml");
    Files.copy(bundled, yaml.resolveSibling("model.onnx"));
    Files.copy(bundled, folder.resolve("alone.onnx"));
    for (Path file : List.of(yaml, folder.resolve("alone.yaml"), folder.resolve("other.yaml"))) {
      Files.writeString(file, "max-batch-size: 2");
    }

    application
        .withPropertyValues("engine.models.repository=" + folder, "engine.batching.max-size=4")
        .run(context ->
            assertThat(context.getBean("digits", InferenceModel.class).maxBatch()).isEqualTo(4));

    String why = " is not applied, since the service alone reads it: set the same by ";
    assertThat(log.getOut())
        .containsOnlyOnce(yaml + why + "engine.models.settings.digits.*")
        .containsOnlyOnce(folder.resolve("alone.yaml") + why + "engine.models.settings.alone.*")
        .doesNotContain("other.yaml");
  }

  @Test
  void settingsOfAModelAreItsOwn() {
    application
        .withPropertyValues(
            "engine.models.names=mnist-cnn,mnist-mlp",
            "engine.batching.max-size=4",
            "engine.models.settings.mnist-mlp.max-batch-size=2")
        .run(context -> {
          assertThat(context.getBean("mnist-cnn", InferenceModel.class).maxBatch()).isEqualTo(4);
          assertThat(context.getBean("mnist-mlp", InferenceModel.class).maxBatch()).isEqualTo(2);
        });
  }

  @Test
  void settingsForNoModelAreTold(CapturedOutput log) {
    application
        .withPropertyValues(
            "engine.models.names=mnist-cnn",
            "engine.models.settings.mnist-mlp.max-batch-size=2",
            "engine.models.settings.minst-cnn.max-batch-size=2")
        .run(context -> assertThat(context).hasNotFailed());

    assertThat(log.getOut())
        .contains("engine.models.settings.minst-cnn is for no model in ")
        .contains(", which has mnist-cnn, mnist-deep")
        .doesNotContain("engine.models.settings.mnist-mlp is for");
  }

  @Test
  void shapesToPrepareAreReadAsTheServiceReadsThem() {
    application
        .withPropertyValues(
            "engine.specialisations.max=3",
            "engine.models.settings.bert.prepare=batch=1,sequence=128; batch=8,sequence=16")
        .run(context -> {
          EngineProperties properties = context.getBean(EngineProperties.class);
          assertThat(properties.preparedShapes("bert"))
              .containsExactly(
                  Map.of("batch", 1L, "sequence", 128L), Map.of("batch", 8L, "sequence", 16L));
          assertThat(properties.preparedShapes("other")).isEmpty();
          assertThat(properties.loadOptions("bert").maxSpecialisations()).isEqualTo(3);
        });
    application
        .withPropertyValues("engine.models.settings.bert.prepare=sequence")
        .run(context ->
            assertThat(context.getStartupFailure())
                .rootCause()
                .hasMessageContaining("prepare has 'sequence' in 'sequence'"));
  }

  @Test
  void closingTheApplicationClosesModelsAndEngine() {
    InferenceModel[] kept = new InferenceModel[1];

    application
        .withPropertyValues("engine.models.names=mnist-cnn")
        .run(context -> kept[0] = context.getBean(InferenceModel.class));

    assertThat(kept[0].isClosed()).isTrue();
  }

  @Test
  void healthTellsDevicePoolAndModels() {
    application
        .withPropertyValues("engine.models.names=mnist-cnn")
        .run(context -> {
          var engine = context.getBean(CompositeHealthContributor.class);
          assertThat(engine.stream().map(HealthContributors.Entry::name))
              .containsExactly("device", "pool", "models");
          assertThat(engine.stream().map(HealthContributors.Entry::contributor))
              .allSatisfy(part ->
                  assertThat(part)
                      .asInstanceOf(type(HealthIndicator.class))
                      .returns(Status.UP, p -> Objects.requireNonNull(p.health()).getStatus()));
          assertThat(engine.getContributor("models"))
              .asInstanceOf(type(HealthIndicator.class))
              .extracting(p -> Objects.requireNonNull(p.health()).getDetails().get("mnist-cnn"))
              .isEqualTo(Map.of("state", "ready"));
        });
  }

  @Test
  void aModelThatTheApplicationClosedIsTold() {
    application
        .withPropertyValues("engine.models.names=mnist-cnn")
        .run(context -> {
          context.getBean(InferenceModel.class).close();
          var engine = context.getBean(CompositeHealthContributor.class);
          assertThat(engine.getContributor("models"))
              .asInstanceOf(type(HealthIndicator.class))
              .extracting(HealthIndicator::health)
              .returns(Status.DOWN, health -> Objects.requireNonNull(health).getStatus())
              .extracting(health -> Objects.requireNonNull(health).getDetails().get("mnist-cnn"))
              .isEqualTo(Map.of("state", "closed", "reason", "the application closed it"));
          var registry = new SimpleMeterRegistry();
          context.getBeansOfType(MeterBinder.class).values().forEach(b -> b.bindTo(registry));
          assertThat(registry.get("engine.model.ready").gauge().value()).isZero();
        });
  }

  @Test
  void metersShowPoolAndModels() {
    application
        .withPropertyValues("engine.models.names=mnist-cnn")
        .run(context -> {
          var registry = new SimpleMeterRegistry();
          context.getBeansOfType(MeterBinder.class).values().forEach(b -> b.bindTo(registry));
          assertThat(registry.get("engine.memory.pool.capacity").gauge().value())
              .isEqualTo(16 << 20);
          assertThat(registry.get("engine.planner.fallbacks").gauge().value()).isZero();
          assertThat(registry.get("engine.model.batch.max").gauge().value()).isEqualTo(256);
          assertThat(registry.get("engine.model.ready").gauge().value()).isEqualTo(1);
          for (String kind : List.of("weights", "arenas")) {
            assertThat(
                    registry
                        .get("engine.model.bytes")
                        .tag("model", "mnist-cnn")
                        .tag("kind", kind)
                        .gauge()
                        .value())
                .as(kind)
                .isPositive();
          }
        });
  }

  @Test
  void withoutActuatorAndMicrometerTheEngineIsThereAllTheSame() {
    application
        .withClassLoader(
            new FilteredClassLoader(
                "org.springframework.boot.actuate",
                "org.springframework.boot.health",
                "io.micrometer"))
        .run(context -> {
          assertThat(context).hasSingleBean(InferenceEngine.class);
          assertThat(context).doesNotHaveBean("engineMeters");
          assertThat(context).doesNotHaveBean("plansEndpoint");
        });
  }

  @Test
  void exposedEndpointsShowPoolAndPlans() {
    new WebApplicationContextRunner()
        .withConfiguration(ALL)
        .withPropertyValues(
            "engine.device=jvm",
            "engine.cache.directory=target/device-cache",
            "engine.models.names=mnist-cnn",
            "management.endpoints.web.exposure.include=memorypool,plans")
        .run(context -> assertThat(context).hasBean("plansEndpoint").hasBean("memoryPoolEndpoint"));
  }
}
