package io.miniinference.service.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What Helm itself says of the chart and of values that are wrong.
final class ChartSchemaTest {

  @Test
  void passesStrictLint() {
    LintResult result = Chart.lint();

    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
    assertThat(result.getMessages()).noneMatch(message -> message.matches("\\[(WARN|ERR).*"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gpu.vendor=nvida               | at '/gpu/vendor': value must be one of 'nvidia', 'amd', 'intel', 'none'
          gpu.count=0                    | at '/gpu/count': minimum: got 0, want 1
          gpu.resource=gpu               | at '/gpu/resource': 'gpu' does not match pattern
          engine.pool.capacity=256Mi     | at '/engine/pool/capacity': '256Mi' does not match pattern
          engine.pool.capacity=0         | at '/engine/pool/capacity': minimum: got 0, want 1
          engine.pool.size=1GB           | at '/engine/pool': additional properties 'size' not allowed
          engine.device=cuda             | at '/engine/device': value must be one of 'auto', 'gpu', 'opencl', 'jvm'
          engine.batching.maxSize=8      | at '/engine/batching': additional properties 'maxSize' not allowed
          engine.batching.max-size=0     | at '/engine/batching/max-size': minimum: got 0, want 1
          engine.instances=many          | at '/engine/instances': got string, want integer
          engine.queue.max-requests=1.5  | at '/engine/queue/max-requests': got string, want integer
          engine.models.repository=a/b   | at '/engine/models/repository': 'a/b' does not match pattern
          engine.cache.directory=/       | at '/engine/cache/directory': '/' does not match pattern
          models.existingClaim=My_Models | at '/models/existingClaim': 'My_Models' does not match pattern
          cache.sizeLimit=64MB           | at '/cache/sizeLimit': '64MB' does not match pattern
          image.digest=sha256:12         | at '/image/digest': 'sha256:12' does not match pattern
          autoscaling.behavior.down=1    | at '/autoscaling/behavior': additional properties 'down' not allowed
          service.port=70000             | at '/service/port': maximum: got 70,000, want 65,535
          service.type=External          | at '/service/type': value must be one of
          probes.startup.path=/          | at '/probes/startup': additional properties 'path' not allowed
          podMonitor.interval=often      | at '/podMonitor/interval': 'often' does not match pattern
          dashboard.labels=x             | at '/dashboard/labels': got string, want object
          podSecurityContext.runAsNonRoot=false | at '/podSecurityContext/runAsNonRoot': value must be true
          replicaCount=2                 | at '': additional properties 'replicaCount' not allowed
          """)
  void refusesAWrongValueAndSaysWhereAndWhy(String setting, String message) {
    int equals = setting.indexOf('=');
    var values = Map.of(setting.substring(0, equals), setting.substring(equals + 1));

    assertThatThrownBy(() -> Chart.render(values)).hasMessageContaining(message);
  }

  @Test
  void refusesTwoRepositories() {
    var values =
        Map.of("models.existingClaim", "digits", "engine.models.repository", "/opt/models");

    assertThatThrownBy(() -> Chart.render(values))
        .hasMessageContaining("engine.models.repository and models.existingClaim are both set");
  }

  @ParameterizedTest
  @ValueSource(strings = {"properties.engine.device", "properties.engine\\.device"})
  void refusesPropertiesOfTheEngineAmongOthers(String path) {
    assertThatThrownBy(() -> Chart.render(Map.of(path, "jvm")))
        .hasMessageContaining("properties of the engine are values of their own, below engine");
  }

  @Test
  void refusesTwoVolumesOfModels() {
    var values =
        Map.of("models.existingClaim", "digits", "models.volume.emptyDir.medium", "Memory");

    assertThatThrownBy(() -> Chart.render(values))
        .hasMessageContaining("models.existingClaim and models.volume are both set");
  }

  @Test
  void theSchemaKnowsEveryDefault() throws IOException {
    JsonNode schema = Chart.tree(read("values.schema.json")).path("properties");

    assertThat(Chart.tree(read("values.yaml")).propertyNames())
        .isNotEmpty()
        .allSatisfy(name -> assertThat(schema.has(name)).as(name).isTrue());
  }

  @Test
  void theManualListsEveryValue() throws IOException {
    String manual = read("README.md");
    Stream<String> defaults = paths("", Chart.tree(read("values.yaml")));

    assertThat(Stream.concat(defaults, ChartPropertiesTest.propertiesOfTheService().stream()))
        .hasSizeGreaterThan(50)
        .allMatch(path -> isListed(path, manual), "is listed, or something above it");
  }

  /// The paths of all leaves, with dots.
  private static Stream<String> paths(String above, JsonNode node) {
    if (!node.isObject() || node.isEmpty()) {
      return Stream.of(above);
    }
    return node.propertyStream()
        .flatMap(child ->
            paths(
                above.isEmpty() ? child.getKey() : above + "." + child.getKey(), child.getValue()));
  }

  private static boolean isListed(String path, String manual) {
    for (String part = path; !part.isEmpty(); part = part.replaceFirst("\\.?[^.]*$", "")) {
      if (manual.contains("`" + part + "`")) {
        return true;
      }
    }
    return false;
  }

  private static String read(String file) throws IOException {
    return Files.readString(Chart.FOLDER.resolve(file));
  }
}
