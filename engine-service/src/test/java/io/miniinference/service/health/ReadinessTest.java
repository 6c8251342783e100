package io.miniinference.service.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.catalog.NoModelException;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/// Which models the service needs to be ready is the operator's choice.
final class ReadinessTest {

  @ParameterizedTest
  @CsvSource({
    "all, 503",
    "any, 200",
    "adder, 200",
    "'adder,picker', 200",
    "'adder,unreadable', 503",
    "nowhere, 503",
  })
  void theModelsThatAreRequiredDecide(String required, int status) {
    try (var context =
        start("--engine.models.required=" + required, "adder", "picker", "unreadable")) {
      assertThat(client(context).get("/v2/health/ready").status()).isEqualTo(status);
    }
  }

  @Test
  void aModelsOwnSettingGoesBeforeTheOthers() {
    String any = "--engine.models.required=any";
    String own = "--engine.models.settings.unreadable.required=";
    try (var context = start(any + " " + own + "true", "adder", "unreadable")) {
      assertThat(client(context).get("/v2/health/ready").status()).isEqualTo(503);
    }
    try (var context = start(own + "false", "adder", "unreadable")) {
      assertThat(client(context).get("/v2/health/ready").status()).isEqualTo(200);
    }
  }

  @Test
  void whatAModelsFileSaysOfItGoesBeforeTheOthersToo() throws IOException {
    Path models = Repositories.of("adder/1", "unreadable/1");
    Path file = models.resolve("unreadable/model.yaml");
    Files.writeString(file, "required: false");
    try (var context = start("--engine.models.required=all", models)) {
      assertThat(client(context).get("/v2/health/ready").status()).isEqualTo(200);
    }
    Files.writeString(file, "required: true");
    try (var context = start("--engine.models.required=any", models)) {
      assertThat(client(context).get("/v2/health/ready").status()).isEqualTo(503);
    }
    try (var context = start("--engine.models.settings.unreadable.required=false", models)) {
      assertThat(client(context).get("/v2/health/ready").status()).isEqualTo(200);
    }
  }

  @Test
  void aLoadThatEndsWithAnErrorOfTheJvmLeavesTheOthersServed() {
    try (var context =
        start("--engine.models.required=any", "overflowing", "adder", "exhausting")) {
      var models = client(context).get("/actuator/health").json().at("/components/models/details");

      assertThat(models.at("/adder/state").stringValue()).isEqualTo("ready");
      assertThat(models.at("/overflowing/reason").stringValue()).contains("nested too deeply");
      assertThat(models.at("/exhausting/reason").stringValue()).contains("heap is too small");
    }
  }

  @Test
  void withoutAnyModelTheServiceEnds() {
    assertThatThrownBy(() -> start("", "unreadable", "huge"))
        .rootCause()
        .isInstanceOf(NoModelException.class)
        .hasMessageContaining("None of 2 models could be loaded: huge, unreadable");
    assertThatThrownBy(() -> start("", new String[0]))
        .rootCause()
        .isInstanceOf(NoModelException.class)
        .hasMessageContaining("holds no model");
  }

  @ParameterizedTest
  @CsvSource({
    "--engine.repository.token=sesame, 200",
    "--engine.repository.unsafe-without-token=true, 200",
    "--engine.repository.poll=1h, 200",
    "--engine.repository.poll=1h --engine.models.required=any, 503",
    "--engine.repository.poll=1h --engine.models.required=adder, 503",
  })
  void whereModelsMayComeLaterTheServiceStartsWithoutAny(String options, int status) {
    try (var context = start(options, new String[0])) {
      assertThat(client(context).get("/v2/health/ready").status()).isEqualTo(status);
      assertThat(client(context).get("/v2/health/live").status()).isEqualTo(200);
      assertThat(client(context).get("/v2/models").body()).isEqualTo("{\"models\":[]}");
    }
  }

  @Test
  void theModelsOfTheStartMayBeNoneOfThoseThatAreThere() {
    String none = "--engine.models.names=none";
    try (var context = start(none + " --engine.repository.token=sesame", "adder", "unreadable")) {
      assertThat(client(context).get("/v2/health/ready").status()).isEqualTo(200);
      assertThat(client(context).post("/v2/repository/index", "").body())
          .contains("\"name\":\"adder\"", "it was not loaded")
          .doesNotContain("\"READY\"");
      load(context, "unreadable", 400);
      assertThat(client(context).get("/v2/health/ready").status()).isEqualTo(200);
      load(context, "adder", 200);
      assertThat(client(context).get("/v2/models/adder/ready").status()).isEqualTo(200);
    }
    assertThatThrownBy(() -> start(none, "adder"))
        .rootCause()
        .isInstanceOf(NoModelException.class)
        .hasMessageContaining("engine.models.names is none");
    assertThatThrownBy(() -> start(none + " --engine.repository.poll=1h", "adder"))
        .rootCause()
        .isInstanceOf(NoModelException.class)
        .hasMessageContaining("engine.repository.poll looks at named models alone");
  }

  private static void load(ConfigurableApplicationContext context, String model, int status) {
    String path = "/v2/repository/models/" + model + "/load";
    assertThat(client(context).post(path, "", "Authorization", "Bearer sesame").status())
        .isEqualTo(status);
  }

  private static ConfigurableApplicationContext start(String options, String... models) {
    String[] versions = List.of(models).stream().map(m -> m + "/1").toArray(String[]::new);
    return start(options, Repositories.of(versions));
  }

  private static ConfigurableApplicationContext start(String options, Path models) {
    List<String> arguments =
        new ArrayList<>(
            List.of("--server.port=0", "--engine.pool.capacity=1MB", "--logging.level.root=off"));
    arguments.addAll(List.of(options.split(" ")));
    arguments.add("--engine.models.repository=" + models);
    return new SpringApplication(MiniInferenceEngine.class, HeapEngineConfiguration.class)
        .run(arguments.toArray(String[]::new));
  }

  private static Client client(ConfigurableApplicationContext context) {
    return new Client(
        context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
  }
}
