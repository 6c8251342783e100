package io.miniinference.service.helm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What the image and the chart must agree on.
final class ImageTest {
  private final Manifests manifests = Chart.render(Map.of());
  private List<String> steps = List.of();

  @BeforeEach
  void readSteps() throws IOException {
    steps = Files.readAllLines(Path.of("..", "Dockerfile"));
  }

  @Test
  void theUserIsThatOfThePod() {
    int user = manifests.pod().at("/securityContext/runAsUser").intValue();
    int group = manifests.pod().at("/securityContext/runAsGroup").intValue();

    assertThat(steps).contains("USER " + user + ":" + group);
  }

  /// Such as the users that OpenShift makes up, whose group is 0.
  @Test
  void theCacheIsWritableForAnyUserOfGroupZero() {
    assertThat(steps)
        .anyMatch(step ->
            step.contains("install -d -o 10001 -g 0 -m 0775 " + manifests.environment("HOME")));
  }

  @Test
  void thePortIsThatOfTheContainer() {
    assertThat(steps).contains("EXPOSE " + manifests.container().at("/ports/0/containerPort"));
  }

  @Test
  void theCacheLiesWhereTheChartMountsIt() {
    assertThat(steps)
        .anyMatch(
            step -> step.contains("XDG_CACHE_HOME=" + manifests.environment("XDG_CACHE_HOME")));
  }

  @Test
  void theCommandIsTheOneThatThePodGives() {
    assertThat(steps)
        .contains("CMD [\"" + manifests.container().at("/args/0").stringValue() + "\"]");
  }

  @Test
  void theProgramIsTheBundlesOwn() {
    assertThat(steps)
        .contains("COPY target/bundle/mini-inference-engine /opt/mini-inference-engine")
        .contains("ENTRYPOINT [\"/opt/mini-inference-engine/bin/mie\"]");
  }

  /// Commands and a file for Compose, which the page has for the image.
  @Test
  void thePageOnContainersAsksForWhatTheImageHas() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "serve.md"));
    Matcher block = Pattern.compile("(?s)```yaml\n(services:.*?)```").matcher(page);
    assertThat(block.find()).isTrue();
    JsonNode compose = new JsonMapper().valueToTree(new Yaml().load(block.group(1)));
    JsonNode service = compose.at("/services/engine");

    assertThat(service.path("image")).isEqualTo(manifests.container().path("image"));
    assertThat(service.path("command").path(0).asString()).isEqualTo("serve");
    for (int i = 0; i < 2; i++) {
      String port = service.path("ports").path(i).asString();
      assertThat(steps).contains("EXPOSE " + port.split(":")[1]);
      assertThat(page).contains("--publish " + port);
    }
    String cache = service.path("volumes").path(1).asString().split(":")[1];
    assertThat(cache).isEqualTo(manifests.environment("HOME"));
    assertThat(page).contains(":" + cache, service.path("image").asString() + " serve --engine");
    assertThat(steps).anyMatch(step -> step.endsWith("NVIDIA_DRIVER_CAPABILITIES=compute,utility"));
  }

  @Test
  void theBuildSeesTheBundleWithoutTheBenchmarksAndNothingElse() throws IOException {
    String bundle = "target/bundle/mini-inference-engine";

    assertThat(Files.readAllLines(Path.of("..", ".dockerignore")))
        .containsExactly("*", "!" + bundle, bundle + "/bench", bundle + "/lib/bench");
  }
}
