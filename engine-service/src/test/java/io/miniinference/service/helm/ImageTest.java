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
  void theBuildSeesWhatItCopiesAndNothingElse() throws IOException {
    String jar = "engine-service/target/engine-service.jar";

    assertThat(Files.readAllLines(Path.of("..", ".dockerignore"))).containsExactly("*", "!" + jar);
    assertThat(steps).filteredOn(step -> step.startsWith("COPY " + jar)).hasSize(1);
  }
}
