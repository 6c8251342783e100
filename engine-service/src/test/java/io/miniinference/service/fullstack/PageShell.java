package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.service.cli.CommandLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Runs commands of the documentation as they stand there: `curl` as a program, `./mie` in this
/// process, on the JVM device.
record PageShell(PageFiles files) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final float LAST_DECIMALS = 1e-3f;
  private static final String TOKEN = "secret";

  /// Starts what `./mie serve …` starts, without the choice of a device.
  RunningService serve(String command, String... more) {
    Stream<String> asked =
        Stream.of(files.words(command))
            .skip(2)
            .map(word ->
                word.startsWith("--") ? word.substring(2) : "engine.models.repository=" + word)
            .filter(property -> !property.startsWith("engine.device="));
    return RunningService.start(
        Stream.of(
                asked,
                Stream.of("engine.device=jvm", "engine.repository.token=" + TOKEN),
                freePortsOfProfile(command),
                Stream.of(more))
            .flatMap(properties -> properties)
            .toArray(String[]::new));
  }

  /* Another service of this host may have that of Triton's metrics. */
  private static Stream<String> freePortsOfProfile(String command) {
    return command.contains("profiles.active=triton")
        ? Stream.of("management.server.port=0")
        : Stream.empty();
  }

  /// Runs a command of `./mie` to its end.
  void mie(String command) {
    String[] words =
        files.words(command.contains("--device") ? command : command + " --device jvm");
    String[] arguments = Stream.of(words).skip(1).toArray(String[]::new);

    assertThat(CommandLines.execute(arguments, _ -> {})).as(command).isZero();
  }

  /// Runs `curl` against a service and looks at its answer.
  ///
  /// @param answer what the page shows, if it is JSON
  void curl(String command, String answer, RunningService service)
      throws IOException, InterruptedException {
    String port = "localhost:" + service.port();
    String[] said = run(command.replace("localhost:8080", port)).split("\n(?=\\d{3}$)");
    boolean isFile = command.contains(" -o ");
    int status = Integer.parseInt(said[said.length - 1].strip());

    if (answer.startsWith("{")) {
      equal(JSON.readTree(said[0]), JSON.readTree(answer));
      assertThat(status).as(command).isEqualTo(answer.startsWith("{\"error\"") ? 400 : 200);
    } else {
      assertThat(status).as(command).isEqualTo(200);
    }
    if (isFile) {
      assertThat(files.folder().resolve("plan.svg")).content().startsWith("<svg");
    }
  }

  private String run(String command) throws IOException, InterruptedException {
    Path errors = Files.createTempFile("curl", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(
                "bash", "-c", command.replaceFirst("^curl ", "curl -sS -w '\\\\n%{http_code}' "))
            .directory(files.folder().toFile())
            .redirectError(errors.toFile());
    builder.environment().put("TOKEN", TOKEN);
    builder.environment().remove("LD_PRELOAD");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(command).isTrue();
    assertThat(process.exitValue()).as("%s: %s", command, Files.readString(errors)).isZero();
    return said;
  }

  /* Devices differ in the last decimals. */
  private static void equal(JsonNode said, JsonNode shown) {
    assertThat(said.getNodeType()).isEqualTo(shown.getNodeType());
    if (shown.isObject()) {
      assertThat(said.propertyNames()).containsExactlyElementsOf(shown.propertyNames());
      shown.propertyNames().forEach(name -> equal(said.get(name), shown.get(name)));
    } else if (shown.isArray()) {
      assertThat(said.size()).isEqualTo(shown.size());
      for (int i = 0; i < shown.size(); i++) {
        equal(said.get(i), shown.get(i));
      }
    } else if (shown.isNumber()) {
      assertThat(said.floatValue()).isCloseTo(shown.floatValue(), within(LAST_DECIMALS));
    } else {
      assertThat(said).isEqualTo(shown);
    }
  }
}
