package io.miniinference.service.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What Helm itself says of the chart and of values that are wrong.
final class ChartSchemaTest {
  @TempDir Path folder;

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
          nameOverride=Engine            | at '/nameOverride': 'Engine' does not match pattern
          nameOverride=a.b               | at '/nameOverride': 'a.b' does not match pattern
          fullnameOverride=my_engine     | at '/fullnameOverride': 'my_engine' does not match pattern
          fullnameOverride=engine-       | at '/fullnameOverride': 'engine-' does not match pattern
          fullnameOverride=2nd           | at '/fullnameOverride': '2nd' does not match pattern
          nameOverride=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | at '/nameOverride': maxLength: got 64, want 63
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          server: {port: 1}                       | server.port: the pod's port of REST is the chart's, so set service.port
          server.port: 1                          | server.port: the pod's port of REST is the chart's, so set service.port
          Server.PORT: 1                          | Server.PORT: the pod's port of REST is the chart's, so set service.port
          spring: {grpc: {server: {port: 1}}}     | spring.grpc.server.port: the pod's port of gRPC is the chart's, so set service.grpcPort
          spring.grpc: {server.port: 1}           | spring.grpc.server.port: the pod's port of gRPC is the chart's, so set service.grpcPort
          spring: {grpc.server: {port: 1}}        | spring.grpc.server.port: the pod's port of gRPC is the chart's, so set service.grpcPort
          management: {server.port: 1}            | management.server.port: set management.port
          management.server: {port: 1}            | management.server.port: set management.port
          server.address: 127.0.0.1               | server.address: probes and Service find the pod at its own address
          spring.grpc.server: {address: 10.1.1.1} | spring.grpc.server.address: the Service finds the pod at its own address
          server: {servlet: {context-path: /a}}   | server.servlet.context-path: probes and clients of the Service expect paths at the root
          server.servlet: {contextPath: /a}       | server.servlet.contextPath: probes and clients of the Service expect paths at the root
          spring.mvc: {servlet.path: /a}          | spring.mvc.servlet.path: probes and clients of the Service expect paths at the root
          spring.lifecycle: {timeout-per-shutdown-phase: 9s} | spring.lifecycle.timeout-per-shutdown-phase: set shutdown.phaseSeconds
          """)
  void refusesPropertiesThatAreTheChartsAndSaysWhatToSet(String property, String message) {
    String path = message.substring(0, message.indexOf(": "));

    assertRefused(
        "properties: {" + property + "}",
        "properties." + path + " cannot be set" + message.substring(path.length()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          service: {port: 8081}                            | service.port and service.grpcPort are both 8081: give them ports of their own
          management: {port: 8080}                         | management.port is 8080, which is the pod's port of REST: set another, such as 8082
          management: {port: 8081}                         | management.port is 8081, which is the pod's port of gRPC: set another, such as 8082
          autoscaling: {enabled: true, minReplicas: 5}     | autoscaling.minReplicas is 5, above autoscaling.maxReplicas, which is 4: lower the one or raise the other
          volumes: [{name: cache, emptyDir: {}}]           | volumes: the chart has a volume cache of its own: set cache.existingClaim, or give yours another name
          volumes: [{name: tmp, emptyDir: {}}]             | volumes: the chart has a volume tmp of its own: set tmp.sizeLimit, or give yours another name
          volumes: [{name: config, emptyDir: {}}]          | volumes: the chart has a volume config of its own: give yours another name
          podLabels: {app.kubernetes.io/name: x}           | podLabels: app.kubernetes.io/name is a label of the chart's own
          podLabels: {app.kubernetes.io/instance: x}       | podLabels: app.kubernetes.io/instance is a label of the chart's own
          podLabels: {app.kubernetes.io/version: x}        | podLabels: app.kubernetes.io/version is a label of the chart's own
          env: [{name: HOME, value: /x}]                   | env: HOME cannot be set: set engine.cache.directory
          env: [{name: XDG_CACHE_HOME, value: /x}]         | env: XDG_CACHE_HOME cannot be set: set engine.cache.directory
          env: [{name: JDK_JAVA_OPTIONS, value: -Xmx1g}]   | env: JDK_JAVA_OPTIONS cannot be set: set jvm.options
          env: [{name: SPRING_CONFIG_ADDITIONAL_LOCATION}] | env: SPRING_CONFIG_ADDITIONAL_LOCATION cannot be set: set properties
          env: [{name: SERVER_PORT, value: "1"}]           | env: SERVER_PORT cannot be set: the pod's port of REST is the chart's, so set service.port
          env: [{name: SERVER_SERVLET_CONTEXT_PATH}]       | env: SERVER_SERVLET_CONTEXT_PATH cannot be set: probes and clients of the Service
          env: [{name: SERVER_SERVLET_CONTEXTPATH}]       | env: SERVER_SERVLET_CONTEXTPATH cannot be set: probes and clients of the Service
          """)
  void refusesWhatDoesNotGoWithTheRestAndSaysWhatToSet(String values, String message) {
    assertRefused(values, message);
  }

  @Test
  void refusesWhatAVendorOrAVolumeOfModelsBrings() {
    assertRefused(
        "{gpu: {vendor: nvidia}, env: [{name: NVIDIA_DRIVER_CAPABILITIES, value: all}]}",
        "env: NVIDIA_DRIVER_CAPABILITIES cannot be set: gpu.vendor=nvidia sets it");
    assertRefused(
        "{models: {existingClaim: digits}, volumes: [{name: models, emptyDir: {}}]}",
        "volumes: the chart has a volume models of its own: models.existingClaim or models.volume");
  }

  private void assertRefused(String values, String message) {
    Path file = folder.resolve("values.yaml");

    assertThatThrownBy(() -> Chart.render(Files.writeString(file, values)))
        .hasMessageContaining(message);
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
