package io.miniinference.service.helm;

import static io.miniinference.service.helm.Manifests.named;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.env.PropertySource;
import tools.jackson.databind.JsonNode;

/// The objects that the chart makes, for every vendor and both kinds of model repository.
final class ChartManifestsTest {
  private static final String CLAIM = "digits";
  private static final String PODS = "namespace=\"ml\",pod=~\"engine-mini-inference-engine-.*\"";

  @TempDir Path folder;

  static Stream<Arguments> variants() {
    return Stream.of("nvidia", "amd", "intel", "none")
        .flatMap(vendor -> Stream.of("", CLAIM).map(claim -> Arguments.of(vendor, claim)));
  }

  private static Manifests render(String vendor, String claim) {
    return Chart.render(Map.of("gpu.vendor", vendor, "models.existingClaim", claim));
  }

  @ParameterizedTest
  @MethodSource("variants")
  void makesFourObjectsOfOneNameAndLabel(String vendor, String claim) {
    Manifests manifests = render(vendor, claim);

    assertThat(manifests.kinds())
        .containsExactlyInAnyOrder("ServiceAccount", "ConfigMap", "Service", "Deployment");
    assertThat(manifests.objects())
        .allSatisfy(object -> {
          assertThat(object.at("/metadata/name").stringValue())
              .isEqualTo("engine-mini-inference-engine");
          assertThat(object.at("/metadata/labels/app.kubernetes.io~1instance").stringValue())
              .isEqualTo("engine");
        });
  }

  @ParameterizedTest
  @MethodSource("variants")
  void thePodIsRestricted(String vendor, String claim) {
    Manifests manifests = render(vendor, claim);
    JsonNode pod = manifests.pod();
    JsonNode security = manifests.container().path("securityContext");

    assertThat(pod.at("/securityContext/runAsNonRoot").booleanValue()).isTrue();
    assertThat(pod.at("/securityContext/runAsUser").intValue()).isPositive();
    assertThat(pod.at("/securityContext/seccompProfile/type").stringValue())
        .isEqualTo("RuntimeDefault");
    assertThat(security.path("allowPrivilegeEscalation").booleanValue()).isFalse();
    assertThat(security.path("readOnlyRootFilesystem").booleanValue()).isTrue();
    assertThat(security.at("/capabilities/drop")).hasToString("[\"ALL\"]");
    assertThat(pod.path("automountServiceAccountToken").booleanValue()).isFalse();
    assertThat(pod.path("hostNetwork").isMissingNode()).isTrue();
    assertThat(pod.path("volumes").findValuesAsString("hostPath")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyMountHasItsVolumeAndOnlyCacheAndTmpAreWritable(String vendor, String claim) {
    Manifests manifests = render(vendor, claim);
    JsonNode volumes = manifests.pod().path("volumes");

    assertThat(manifests.container().path("volumeMounts"))
        .hasSameSizeAs(volumes)
        .allSatisfy(mount -> {
          JsonNode volume = named(volumes, mount.path("name").stringValue());
          assertThat(mount.path("readOnly").asBoolean(false)).isNotEqualTo(volume.has("emptyDir"));
        });
    assertThat(manifests.container().path("volumeMounts").findValuesAsString("mountPath"))
        .contains("/tmp", manifests.environment("XDG_CACHE_HOME"));
  }

  @ParameterizedTest
  @MethodSource("variants")
  void theConfigurationIsMountedWhereTheServiceLooks(String vendor, String claim) {
    Manifests manifests = render(vendor, claim);
    JsonNode mount = named(manifests.container().path("volumeMounts"), "config");

    assertThat(manifests.environment("SPRING_CONFIG_ADDITIONAL_LOCATION"))
        .isEqualTo("file:" + mount.path("mountPath").stringValue() + "/");
    assertThat(named(manifests.pod().path("volumes"), "config").at("/configMap/name"))
        .isEqualTo(manifests.only("ConfigMap").at("/metadata/name"));
    assertThat(manifests.properties().getProperty("server.port"))
        .isEqualTo(manifests.container().at("/ports/0/containerPort").intValue());
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia, nvidia.com/gpu, nvidia.com/gpu.present",
    "amd, amd.com/gpu, feature.node.kubernetes.io/amd-gpu",
    "intel, gpu.intel.com/i915, intel.feature.node.kubernetes.io/gpu",
  })
  void theVendorChoosesResourceNodesAndTolerations(String vendor, String resource, String label) {
    Manifests manifests = render(vendor, "");
    JsonNode toleration = manifests.pod().at("/tolerations/0");

    assertThat(manifests.container().at("/resources/limits").path(resource).intValue())
        .isEqualTo(1);
    assertThat(manifests.pod().path("nodeSelector").path(label).stringValue()).isEqualTo("true");
    assertThat(toleration.path("key").stringValue()).isEqualTo(resource);
    assertThat(toleration.path("operator").stringValue()).isEqualTo("Exists");
    assertThat(manifests.only("Deployment").at("/spec/strategy/rollingUpdate/maxSurge").intValue())
        .isZero();
    assertThat(manifests.environment("NVIDIA_DRIVER_CAPABILITIES"))
        .isEqualTo(vendor.equals("nvidia") ? "compute,utility" : "");
  }

  @Test
  void noVendorAsksForNothingSpecial() {
    Manifests manifests = render("none", "");

    assertThat(manifests.container().at("/resources/limits").propertyNames())
        .containsExactly("memory");
    assertThat(manifests.pod().path("nodeSelector"))
        .hasToString("{\"kubernetes.io/arch\":\"amd64\"}");
    assertThat(manifests.pod().has("tolerations")).isFalse();
    assertThat(manifests.pod().has("runtimeClassName")).isFalse();
    assertThat(manifests.only("Deployment").path("spec").has("strategy")).isFalse();
  }

  @Test
  void aSliceOfAGpuTakesThePlaceOfTheVendorsResource() {
    Map<String, String> values = new HashMap<>();
    values.put("gpu.vendor", "nvidia");
    values.put("gpu.resource", "nvidia.com/mig-1g.10gb");
    values.put("gpu.count", "2");
    values.put("gpu.selectNodes", "false");
    values.put("gpu.runtimeClassName", "nvidia");
    values.put("nodeSelector.disk", "fast");
    values.put("tolerations[0].key", "spot");

    Manifests manifests = Chart.render(values);

    JsonNode limits = manifests.container().at("/resources/limits");
    assertThat(limits.propertyNames()).containsExactly("memory", "nvidia.com/mig-1g.10gb");
    assertThat(limits.path("nvidia.com/mig-1g.10gb").intValue()).isEqualTo(2);
    assertThat(manifests.pod().path("nodeSelector"))
        .hasToString("{\"disk\":\"fast\",\"kubernetes.io/arch\":\"amd64\"}");
    assertThat(manifests.pod().path("tolerations").findValuesAsString("key"))
        .containsExactly("nvidia.com/gpu", "spot");
    assertThat(manifests.pod().path("runtimeClassName").stringValue()).isEqualTo("nvidia");
  }

  @ParameterizedTest
  @CsvSource({"nvidia", "none"})
  void aClaimIsTheRepositoryAndIsOnlyRead(String vendor) {
    Manifests manifests =
        Chart.render(
            Map.of("gpu.vendor", vendor, "models.existingClaim", CLAIM, "models.subPath", "onnx"));
    JsonNode mount = named(manifests.container().path("volumeMounts"), "models");
    JsonNode claim = named(manifests.pod().path("volumes"), "models").path("persistentVolumeClaim");

    assertThat(manifests.properties().getProperty("engine.models.repository"))
        .isEqualTo(mount.path("mountPath").stringValue());
    assertThat(mount.path("readOnly").booleanValue()).isTrue();
    assertThat(mount.path("subPath").stringValue()).isEqualTo("onnx");
    assertThat(claim.path("claimName").stringValue()).isEqualTo(CLAIM);
    assertThat(claim.path("readOnly").booleanValue()).isTrue();
  }

  @Test
  void aVolumeThatAnInitContainerFillsIsTheRepository() throws IOException {
    Manifests manifests =
        render(
            """
            models: {volume: {emptyDir: {}}, subPath: onnx}
            initContainers:
              - {name: models, image: fetch, volumeMounts: [{name: models, mountPath: /models}]}
            """);
    JsonNode mount = named(manifests.container().path("volumeMounts"), "models");

    assertThat(manifests.properties().getProperty("engine.models.repository"))
        .isEqualTo(mount.path("mountPath").stringValue());
    assertThat(mount.path("readOnly").booleanValue()).isTrue();
    assertThat(mount.path("subPath").stringValue()).isEqualTo("onnx");
    assertThat(named(manifests.pod().path("volumes"), "models").has("emptyDir")).isTrue();
    assertThat(manifests.pod().at("/initContainers/0/image").stringValue()).isEqualTo("fetch");
  }

  @Test
  void variablesAndVolumesOfOnesOwnComeBesideTheChartsOwn() throws IOException {
    Manifests manifests =
        render(
            """
            env:
              - name: ENGINE_INFERENCE_TOKEN
                valueFrom: {secretKeyRef: {name: tokens, key: inference}}
            volumes: [{name: certificates, secret: {secretName: tls}}]
            volumeMounts: [{name: certificates, mountPath: /certificates, readOnly: true}]
            """);

    assertThat(
            named(manifests.container().path("env"), "ENGINE_INFERENCE_TOKEN")
                .at("/valueFrom/secretKeyRef/name")
                .stringValue())
        .isEqualTo("tokens");
    assertThat(manifests.environment("HOME")).isNotEmpty();
    assertThat(named(manifests.pod().path("volumes"), "certificates").has("secret")).isTrue();
    assertThat(manifests.container().path("volumeMounts").findValuesAsString("mountPath"))
        .contains("/certificates", "/tmp");
  }

  @Test
  void whatTheChartDoesNotSetIsForOnesOwnVariablesAndVolumes() throws IOException {
    Manifests manifests =
        render(
            """
            jvm: {options: []}
            env:
              - {name: JDK_JAVA_OPTIONS, value: -Xmx1g}
              - {name: NVIDIA_DRIVER_CAPABILITIES, value: all}
            volumes: [{name: models, emptyDir: {}}]
            """);

    assertThat(manifests.environment("JDK_JAVA_OPTIONS")).isEqualTo("-Xmx1g");
    assertThat(manifests.environment("NVIDIA_DRIVER_CAPABILITIES")).isEqualTo("all");
    assertThat(named(manifests.pod().path("volumes"), "models").has("emptyDir")).isTrue();
  }

  @Test
  void aCacheThatStaysIsAClaim() {
    JsonNode cache =
        named(
            Chart.render(Map.of("cache.existingClaim", "kernels")).pod().path("volumes"), "cache");

    assertThat(cache.at("/persistentVolumeClaim/claimName").stringValue()).isEqualTo("kernels");
    assertThat(cache.has("emptyDir")).isFalse();
  }

  @Test
  void aClusterMayChooseTheUser() {
    JsonNode security =
        Chart.render(
                Map.of(
                    "podSecurityContext.runAsUser",
                    "null",
                    "podSecurityContext.runAsGroup",
                    "null"))
            .pod()
            .path("securityContext");

    assertThat(security.propertyNames())
        .containsExactlyInAnyOrder("runAsNonRoot", "seccompProfile");
  }

  @Test
  void anAutoscalerTakesThePlaceOfTheNumberOfPods() {
    Manifests manifests = Chart.render(Map.of("autoscaling.enabled", "true"));
    JsonNode scaler = manifests.only("HorizontalPodAutoscaler").path("spec");

    assertThat(manifests.only("Deployment").path("spec").has("replicas")).isFalse();
    assertThat(scaler.at("/scaleTargetRef/name"))
        .isEqualTo(manifests.only("Deployment").at("/metadata/name"));
    assertThat(scaler.path("maxReplicas").intValue()).isGreaterThan(1);
    assertThat(scaler.at("/metrics/0/resource/name").stringValue()).isEqualTo("cpu");
    assertThat(manifests.container().at("/resources/requests").has("cpu")).isTrue();
    assertThat(scaler.has("behavior")).isFalse();
  }

  @Test
  void anAutoscalerMayTakeItsTime() {
    Map<String, String> values =
        Map.of(
            "autoscaling.enabled", "true",
            "autoscaling.behavior.scaleDown.stabilizationWindowSeconds", "600");

    assertThat(
            Chart.render(values)
                .only("HorizontalPodAutoscaler")
                .at("/spec/behavior/scaleDown/stabilizationWindowSeconds")
                .intValue())
        .isEqualTo(600);
  }

  @ParameterizedTest
  @CsvSource({
    "disruptionBudget, PodDisruptionBudget, /spec/selector/matchLabels",
    "networkPolicy, NetworkPolicy, /spec/podSelector/matchLabels",
    "podMonitor, PodMonitor, /spec/selector/matchLabels",
  })
  void whatWatchesAndGuardsThePodsFindsThem(String value, String kind, String selector) {
    Manifests manifests = Chart.render(Map.of(value + ".enabled", "true"));

    assertThat(manifests.only(kind).at(selector).propertyNames()).isNotEmpty();
    assertThat(manifests.only(kind).at(selector))
        .isEqualTo(manifests.only("Deployment").at("/spec/selector/matchLabels"));
  }

  @Test
  void onlyThoseWhoMonitorReachActuator() throws IOException {
    JsonNode closed = render("networkPolicy: {enabled: true}").only("NetworkPolicy");
    JsonNode open =
        render(
                """
                networkPolicy:
                  enabled: true
                  clients: [{podSelector: {matchLabels: {app: shop}}}]
                  monitoring: [{namespaceSelector: {matchLabels: {name: monitoring}}}]
                """)
            .only("NetworkPolicy");

    assertThat(closed.at("/spec/ingress")).hasSize(1);
    assertThat(closed.at("/spec/ingress/0").has("from")).isFalse();
    assertThat(closed.at("/spec/ingress/0/ports").findValuesAsString("port"))
        .containsExactly("http", "grpc");
    assertThat(open.at("/spec/ingress/0/from/0").has("podSelector")).isTrue();
    assertThat(open.at("/spec/ingress/1/ports/0/port").stringValue()).isEqualTo("management");
    assertThat(open.at("/spec/ingress/1/from/0").has("namespaceSelector")).isTrue();
  }

  @Test
  void aMonitorScrapesWhereActuatorIs() throws IOException {
    Manifests manifests = render("podMonitor: {enabled: true, labels: {release: prometheus}}");
    JsonNode monitor = manifests.only("PodMonitor");
    String port = monitor.at("/spec/podMetricsEndpoints/0/port").stringValue();

    assertThat(named(manifests.container().path("ports"), port).isMissingNode()).isFalse();
    assertThat(monitor.at("/spec/podMetricsEndpoints/0/path").stringValue())
        .isEqualTo("/actuator/prometheus");
    assertThat(monitor.at("/metadata/labels/release").stringValue()).isEqualTo("prometheus");
  }

  @Test
  void theAlertsOfTheManualWatchThePodsOfTheRelease() throws IOException {
    JsonNode rule = render("prometheusRule: {enabled: true}").only("PrometheusRule");
    Map<String, String> alerts = new HashMap<>();
    rule.at("/spec/groups/0/rules")
        .forEach(alert ->
            alerts.put(
                alert.path("alert").stringValue(),
                alert
                    .path("expr")
                    .stringValue()
                    .replace(PODS + "}", "}")
                    .replace(",}", "}")
                    .replace("{}", "")));
    Matcher manual =
        Pattern.compile("- alert: (\\w+)\n  expr: (.+)")
            .matcher(Files.readString(Path.of("../docs/operate.md")));

    assertThat(rule.toString()).contains("namespace=\\\"ml\\\"");
    assertThat(manual.results().map(alert -> Map.entry(alert.group(1), alert.group(2))))
        .containsExactlyInAnyOrderElementsOf(alerts.entrySet());
  }

  private Manifests render(String values) throws IOException {
    return Chart.render(Files.writeString(folder.resolve("values.yaml"), values));
  }

  @Test
  void everyRecipeOfTheManualMakesObjects() throws IOException {
    String manual = Files.readString(Chart.FOLDER.resolve("README.md"));
    List<String> recipes =
        Pattern.compile("^```yaml\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE)
            .matcher(manual)
            .results()
            .map(block -> block.group(1))
            .toList();

    assertThat(recipes).hasSizeGreaterThanOrEqualTo(3);
    for (String recipe : recipes) {
      if (!recipe.startsWith("apiVersion:")) {
        assertThat(render(recipe).kinds()).as(recipe).contains("Deployment");
      }
    }
  }

  /// Of the release `engine`, as the first lines of the page have it.
  @Test
  void objectsOfTheManualNameTheChartsOwn() throws IOException {
    String name = render("none", "").only("Deployment").at("/metadata/name").stringValue();
    List<String> objects =
        Pattern.compile("^```yaml\\n(apiVersion:.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE)
            .matcher(Files.readString(Chart.FOLDER.resolve("README.md")))
            .results()
            .map(block -> block.group(1))
            .toList();

    assertThat(objects)
        .isNotEmpty()
        .allSatisfy(object ->
            assertThat(Chart.tree(object).at("/spec/scaleTargetRef/name").stringValue())
                .isEqualTo(name));
  }

  @Test
  void withoutAClaimTheBundledModelsAreServed() {
    Manifests manifests = render("none", "");

    assertThat(manifests.properties().getProperty("engine.models.repository")).isNull();
    assertThat(named(manifests.pod().path("volumes"), "models").isMissingNode()).isTrue();
  }

  @Test
  void actuatorHasAPortThatTheServiceDoesNotShow() {
    Manifests manifests = Chart.render(Map.of("management.port", "9000"));
    JsonNode port = named(manifests.container().path("ports"), "management");

    assertThat(manifests.properties().getProperty("management.server.port")).hasToString("9000");
    assertThat(port.path("containerPort").intValue()).isEqualTo(9000);
    assertThat(manifests.only("Service").at("/spec/ports"))
        .hasSize(2)
        .noneMatch(shown -> shown.path("targetPort").stringValue().equals("management"));
  }

  @Test
  void probesAskThePortThatServes() {
    JsonNode container = render("nvidia", "").container();
    String path = "/httpGet/path";

    assertThat(container.path("startupProbe").at(path).stringValue()).isEqualTo("/v2/health/live");
    assertThat(container.path("livenessProbe").at(path).stringValue()).isEqualTo("/v2/health/live");
    assertThat(container.path("readinessProbe").at(path).stringValue())
        .isEqualTo("/v2/health/ready");
    assertThat(
            container.at("/startupProbe/periodSeconds").intValue()
                * container.at("/startupProbe/failureThreshold").intValue())
        .as("seconds that loading and compiling may take")
        .isGreaterThanOrEqualTo(600);
  }

  @ParameterizedTest
  @CsvSource({"startupProbe", "livenessProbe", "readinessProbe"})
  void probesSpeakTlsWhereTheServiceDoes(String probe) throws IOException {
    String scheme = "/httpGet/scheme";
    String mixed = "properties: {server: {ssl.bundle: server}}";

    assertThat(render("none", "").container().path(probe).at(scheme).isMissingNode()).isTrue();
    assertThat(
            Chart.render(Map.of("properties.server.ssl.bundle", "server"))
                .container()
                .path(probe)
                .at(scheme)
                .stringValue())
        .isEqualTo("HTTPS");
    assertThat(render(mixed).container().path(probe).at(scheme).asString("")).isEqualTo("HTTPS");
  }

  @Test
  void propertiesOfSpringComeBesideTheChartsOwn() throws IOException {
    PropertySource<?> properties =
        render(
                """
                properties:
                  logging.structured.format.console: ecs
                  spring: {grpc: {server: {keepalive: {connection: {max-age: 5m}}}}}
                  server: {compression: {enabled: true}}
                """)
            .properties();

    assertThat(properties.getProperty("logging.structured.format.console")).isEqualTo("ecs");
    assertThat(properties.getProperty("spring.grpc.server.keepalive.connection.max-age"))
        .isEqualTo("5m");
    assertThat(properties.getProperty("spring.lifecycle.timeout-per-shutdown-phase"))
        .isEqualTo("30s");
    assertThat(properties.getProperty("server.compression.enabled")).isEqualTo(true);
    assertThat(properties.getProperty("server.port")).isEqualTo(8080);
  }

  @Test
  void theSeriesOfBeforeAreLeftOut() {
    assertThat(render("none", "").properties().getProperty("management.metrics.enable.inference"))
        .isEqualTo(false);
  }

  @Test
  void whoeverScalesThePodsKeepsTheirNumber() {
    assertThat(
            Chart.render(Map.of("replicas", "null"))
                .only("Deployment")
                .path("spec")
                .has("replicas"))
        .isFalse();
    assertThat(
            Chart.render(Map.of("replicas", "0")).only("Deployment").at("/spec/replicas").asInt(9))
        .isZero();
  }

  @Test
  void aHeadlessServiceShowsEachPodToGrpcClients() {
    Manifests manifests = Chart.render(Map.of("service.headless", "true"));
    JsonNode headless =
        manifests.objects().stream()
            .filter(object -> object.at("/spec/clusterIP").asString("").equals("None"))
            .findFirst()
            .orElseThrow();

    assertThat(headless.path("kind").stringValue()).isEqualTo("Service");
    assertThat(headless.at("/metadata/name").stringValue())
        .isEqualTo("engine-mini-inference-engine-headless");
    assertThat(headless.at("/spec/selector"))
        .isEqualTo(manifests.only("Deployment").at("/spec/selector/matchLabels"));
    // a port of a Service without an address is the pod's own
    assertThat(headless.at("/spec/ports/0/port"))
        .isEqualTo(named(manifests.container().path("ports"), "grpc").path("containerPort"));
  }

  @Test
  void aSecretMayBringAllItsVariables() throws IOException {
    JsonNode container =
        render("envFrom: [{secretRef: {name: tokens}}]").container().path("envFrom");

    assertThat(container.at("/0/secretRef/name").stringValue()).isEqualTo("tokens");
  }

  @Test
  void theGracePeriodCoversDelayAndPhases() {
    Manifests manifests =
        Chart.render(Map.of("shutdown.delaySeconds", "7", "shutdown.phaseSeconds", "100"));

    assertThat(manifests.pod().path("terminationGracePeriodSeconds").intValue())
        .isGreaterThan(7 + 2 * 100);
    assertThat(manifests.properties().getProperty("spring.lifecycle.timeout-per-shutdown-phase"))
        .isEqualTo("100s");
    assertThat(manifests.container().at("/lifecycle/preStop/sleep/seconds").intValue())
        .isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({"5, 120", "1, 30"})
  void aRolloutHasNotFailedWhileAPodMayYetEndAndAnotherStart(int period, int failures) {
    Manifests manifests =
        Chart.render(
            Map.of(
                "probes.startup.periodSeconds", String.valueOf(period),
                "probes.startup.failureThreshold", String.valueOf(failures),
                "shutdown.phaseSeconds", "100"));
    int grace = manifests.pod().path("terminationGracePeriodSeconds").intValue();

    assertThat(manifests.only("Deployment").at("/spec/progressDeadlineSeconds").intValue())
        .isGreaterThan(grace + period * failures)
        .isLessThan(grace + period * failures + 120);
  }

  @Test
  void aDigestTakesThePlaceOfTheTag() {
    String digest = "sha256:" + "0123456789abcdef".repeat(4);
    Map<String, String> values =
        Map.of(
            "image.repository", "registry.example/mie", "image.tag", "v1", "image.digest", digest);

    assertThat(Chart.render(values).container().path("image").stringValue())
        .isEqualTo("registry.example/mie@" + digest);
  }

  @Test
  void theServiceFindsThePods() {
    Manifests manifests = render("none", "");
    JsonNode labels = manifests.only("Deployment").at("/spec/template/metadata/labels");

    assertThat(manifests.only("Service").at("/spec/selector").propertyStream())
        .isNotEmpty()
        .allSatisfy(label -> assertThat(labels.path(label.getKey())).isEqualTo(label.getValue()));
    assertThat(manifests.only("Service").at("/spec/ports/0/targetPort"))
        .isEqualTo(manifests.container().at("/ports/0/name"));
    assertThat(manifests.only("Service").at("/spec/ports/1/targetPort"))
        .isEqualTo(manifests.container().at("/ports/1/name"));
  }

  /// Which is where the service has it, if nothing else is said.
  @Test
  void grpcHasThePortAfterThatOfHttp() {
    JsonNode ports = render("none", "").container().path("ports");

    assertThat(ports.path(1).path("containerPort").intValue())
        .isEqualTo(ports.path(0).path("containerPort").intValue() + 1);
  }

  @Test
  void anotherConfigurationStartsOtherPods() {
    assertThat(checksum(Map.of("engine.instances", "2"))).isNotEqualTo(checksum(Map.of()));
    assertThat(checksum(Map.of("service.port", "80"))).isEqualTo(checksum(Map.of()));
  }

  private static String checksum(Map<String, String> values) {
    return Chart.render(values)
        .only("Deployment")
        .at("/spec/template/metadata/annotations/checksum~1config")
        .stringValue();
  }
}
