package io.miniinference.service.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.HeapServiceTest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Alerts, the dashboard and the page of the chart ask for series that a scrape of the service has,
/// by labels that they have there.
final class ScrapedNamesTest extends HeapServiceTest {
  private static final Pattern SERIES =
      Pattern.compile("^([a-z]\\w*)(?:\\{(.*)})? ", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("(\\w+)=");

  /// A name in PromQL: of a series, where it is none of a function, a label or a word of its own.
  private static final Pattern NAME =
      Pattern.compile("\\b((?:engine|nv|jvm|process|inference)_\\w+)(?:\\{([^}]*)})?");

  /// What a PodMonitor adds to each series.
  private static final Set<String> OF_PODS = Set.of("namespace", "pod");

  private final Map<String, Set<String>> labelsOf = new HashMap<>();

  @BeforeEach
  void scrape() {
    SERIES
        .matcher(scraped())
        .results()
        .forEach(series ->
            LABEL
                .matcher(series.group(2) == null ? "" : series.group(2))
                .results()
                .map(label -> label.group(1))
                .forEach(labelsOf.computeIfAbsent(series.group(1), _ -> new HashSet<>())::add));
  }

  /* The JVM's pauses have series from the first one on, of which it tells a little later. */
  private String scraped() {
    System.gc();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    String text;
    do {
      text = client().get("/actuator/prometheus").body();
    } while (!text.contains("jvm_gc_pause_seconds_sum") && System.nanoTime() < deadline);
    return text;
  }

  @Test
  void whatAlertsAskForIsThere() {
    JsonNode rule = Chart.render(Map.of("prometheusRule.enabled", "true")).only("PrometheusRule");
    List<String> queries = rule.findValuesAsString("expr");

    assertThat(queries).hasSizeGreaterThan(3);
    assertAnswered(queries);
  }

  @Test
  void whatTheDashboardAsksForIsThere() {
    JsonNode map =
        Chart.render(Map.of("dashboard.enabled", "true")).objects().stream()
            .filter(object -> object.at("/metadata/name").asString("").endsWith("-dashboard"))
            .findFirst()
            .orElseThrow();
    JsonNode dashboard = Chart.tree(map.at("/data/mini-inference-engine.json").stringValue());
    List<String> queries =
        Stream.concat(
                dashboard.path("panels").findValuesAsString("expr").stream(),
                dashboard.path("templating").findValuesAsString("definition").stream())
            .toList();

    assertThat(map.at("/metadata/labels/grafana_dashboard").stringValue()).isEqualTo("1");
    assertThat(dashboard.path("panels"))
        .hasSizeGreaterThan(10)
        .allSatisfy(panel -> assertThat(panel.path("targets")).isNotEmpty());
    assertThat(queries).hasSizeGreaterThan(dashboard.path("panels").size());
    assertAnswered(queries);
  }

  @Test
  void whatTheChartsPageAsksForIsThere() throws IOException {
    String page = Files.readString(Chart.FOLDER.resolve("README.md"));

    assertAnswered(List.of(page));
  }

  private void assertAnswered(List<String> queries) {
    for (String query : queries) {
      List<MatchResult> names = NAME.matcher(query).results().toList();
      assertThat(names).as(query).isNotEmpty();
      for (MatchResult name : names) {
        Set<String> labels = labelsOf.get(name.group(1));
        assertThat(labels).as(name.group(1)).isNotNull();
        assertThat(LABEL.matcher(name.group(2) == null ? "" : name.group(2)).results())
            .extracting(label -> label.group(1))
            .as(query)
            .allMatch(label -> OF_PODS.contains(label) || labels.contains(label));
      }
    }
  }
}
