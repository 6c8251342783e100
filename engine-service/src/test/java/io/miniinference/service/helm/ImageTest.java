package io.miniinference.service.helm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

  @Test
  void theBuildSeesTheBundleWithoutTheBenchmarksAndNothingElse() throws IOException {
    String bundle = "target/bundle/mini-inference-engine";

    assertThat(Files.readAllLines(Path.of("..", ".dockerignore")))
        .containsExactly("*", "!" + bundle, bundle + "/bench", bundle + "/lib/bench");
  }
}
