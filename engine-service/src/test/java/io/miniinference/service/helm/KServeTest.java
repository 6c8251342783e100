package io.miniinference.service.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.repository.RepositoryException;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.FreshLog;
import io.miniinference.service.fullstack.OpenModel;
import io.miniinference.service.fullstack.RunningService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The runtime for KServe, and what its page says, held to the service.
@ExtendWith(OutputCaptureExtension.class)
final class KServeTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern BLOCK =
      Pattern.compile("^```yaml\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final String SERVED = "digits";

  private final JsonNode runtime = yaml(read(Path.of("..", "helm", "kserve.yaml")));
  private final JsonNode container = runtime.at("/spec/containers/0");
  private final List<JsonNode> shown = shown();

  @TempDir private Path mount;

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode yaml(String text) {
    return JSON.valueToTree(new Yaml().load(text));
  }

  private static List<JsonNode> shown() {
    Matcher block = BLOCK.matcher(read(Path.of("..", "docs", "kserve.md")));
    return block.results().map(result -> yaml(result.group(1))).toList();
  }

  private static Stream<JsonNode> each(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  /// Starts what the pod starts, with a folder of the test where KServe mounts the model.
  private RunningService start() {
    Stream<String> asked =
        Stream.concat(each(container.path("args")).skip(1), each(service().at("/args")))
            .map(argument -> argument.stringValue().replace("{{.Name}}", SERVED).substring(2));
    return RunningService.start(
        Stream.concat(
                asked,
                Stream.of(
                    "engine.device=jvm",
                    "spring.grpc.server.port=0",
                    "engine.models.repository=" + mount))
            .toArray(String[]::new));
  }

  /* What the page shows in place of an InferenceService. */
  private JsonNode service() {
    return shown.getFirst().at("/spec/predictor/model");
  }

  private static void write(Path folder, String name) {
    new OpenModel()
        .floats("x", "batch,2")
        .node("Add", "x x", "y")
        .output("y", "batch,2")
        .write(folder, name);
  }

  @Test
  void theVersionsInAVolumeAreServedUnderTheNameOfTheService() throws IOException {
    write(mount, "2");
    Files.createDirectories(mount.resolve("3"));
    Files.move(mount.resolve("2/1/model.onnx"), mount.resolve("3/model.onnx"));
    Files.writeString(mount.resolve("config.pbtxt"), "name: \"resnet\" max_batch_size: 4");

    try (RunningService service = start()) {
      Client client = service.client();
      assertThat(client.get("/v2/models/" + SERVED).json().path("versions").path(0).asString())
          .isEqualTo("3");
      assertThat(client.get("/v2/models/" + SERVED + "/config").json().path("max_batch_size"))
          .hasToString("4");
      Map<String, Object> rows = Map.of("instances", List.of(List.of(1, 2)));
      assertThat(
              client
                  .post("/v1/models/" + SERVED + ":predict", JSON.writeValueAsString(rows))
                  .json()
                  .path("predictions")
                  .path(0))
          .hasToString("[2.0,4.0]");
      for (String probe : List.of("readinessProbe", "livenessProbe")) {
        String path = container.path(probe).at("/httpGet/path").stringValue();
        assertThat(client.get(path).status()).as(probe).isEqualTo(200);
      }
      String metrics = runtime.at("/spec/annotations").path("prometheus.kserve.io/path").asString();
      assertThat(client.get(metrics).body()).contains("model=\"" + SERVED + "\"");
    }
  }

  @Test
  void modelsOfARepositoryKeepTheirNamesAndTheLogSaysSo(CapturedOutput output) {
    FreshLog.forget();
    write(mount, "net");

    try (RunningService service = start()) {
      assertThat(service.client().get("/v2/models/net/ready").status()).isEqualTo(200);
      assertThat(service.client().get("/v2/models/" + SERVED).status()).isEqualTo(404);
      assertThat(output).contains("no model is served as 'digits' (engine.models.served-name)");
    }
  }

  @Test
  void aNameWithoutARepositoryIsRefused() {
    assertThatThrownBy(
            () -> RunningService.start("engine.device=jvm", "engine.models.served-name=" + SERVED))
        .hasRootCauseInstanceOf(RepositoryException.class)
        .rootCause()
        .hasMessageContaining("engine.models.served-name is 'digits', and no")
        .hasMessageContaining("engine.models.names");
  }

  /// As KServe's other runtimes have them.
  @Test
  void portsAndTheModelsPlaceAreThoseOfKServe() {
    JsonNode profile = yaml(read(Path.of("src/main/resources/application-kserve.yaml")));

    assertThat(profile.at("/engine/models/repository").stringValue()).isEqualTo("/mnt/models");
    assertThat(profile.at("/spring/grpc/server/port"))
        .isEqualTo(shown.getLast().at("/ports/0/containerPort"))
        .hasToString("9000");
    assertThat(profile.at("/server/port").isMissingNode()).as("8080, as ever").isTrue();
    assertThat(container.at("/readinessProbe/httpGet/port")).hasToString("8080");
    assertThat(container.at("/livenessProbe/httpGet/port")).hasToString("8080");
    assertThat(runtime.at("/spec/annotations").path("prometheus.kserve.io/port").stringValue())
        .isEqualTo("8080");
  }

  @Test
  void thePageNamesTheRuntimeAndTheImageIsTheCharts() {
    assertThat(service().path("runtime")).isEqualTo(runtime.at("/metadata/name"));
    assertThat(service().at("/modelFormat/name"))
        .isEqualTo(runtime.at("/spec/supportedModelFormats/0/name"));
    assertThat(container.path("name").stringValue()).isEqualTo("kserve-container");
    assertThat(container.path("image")).isEqualTo(Chart.render(Map.of()).container().path("image"));
  }
}
