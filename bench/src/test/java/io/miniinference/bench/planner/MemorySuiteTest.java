package io.miniinference.bench.planner;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Setting;
import io.miniinference.runtime.EngineOptions;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bytes of plans, beside their bounds.
final class MemorySuiteTest {
  @TempDir Path folder;

  @Test
  void aPlanStandsBesideItsBounds() {
    SuiteResult result = run(null, List.of("mnist-deep"));

    assertThat(result.measurements())
        .extracting(figure -> figure.parameters().get("bytes"))
        .contains("lower bound", "live at once", "planned");
    assertThat(result.notes()).first().asString().contains("in 4 of 4 plans");
  }

  /* A packing cannot always meet its bound; of these networks it should miss it for few, and by
  little. */
  @Test
  @Tag("data")
  void plansOfRealNetworksTakeWhatIsLiveAtOnce() throws Exception {
    Map<String, Double> above = above(run(topologies(), List.of()));

    assertThat(above).hasSizeGreaterThan(40);
    assertThat(above.values()).allMatch(factor -> factor <= 1.01, "within 1 % of the bound");
    assertThat(above.values().stream().filter(factor -> factor == 1).count())
        .isGreaterThanOrEqualTo(above.size() * 9L / 10);
  }

  private SuiteResult run(@Nullable Path models, List<String> names) {
    var selection = new Setting.Selection(models, names, List.of());
    EngineOptions engine = EngineOptions.defaults(folder.resolve("cache"));
    return new MemorySuite()
        .run(new Setting(engine, selection, 2, "no-python", true, _ -> {}))
        .orElseThrow();
  }

  /* Of each plan: its bytes as a multiple of what is live at once. */
  private static Map<String, Double> above(SuiteResult result) {
    Map<String, Double> bounds = new HashMap<>();
    Map<String, Double> above = new HashMap<>();
    for (Measurement figure : result.measurements()) {
      String plan = figure.name() + figure.subject() + figure.parameters().get("batch");
      switch (figure.parameters().get("bytes")) {
        case "live at once" -> bounds.put(plan, figure.spread().median());
        case "planned" ->
            above.put(plan, figure.spread().median() / requireNonNull(bounds.get(plan)));
        default -> {}
      }
    }
    return above;
  }

  private Path topologies() throws IOException {
    Path zip = Path.of(System.getProperty("mie.data"), "topology.zip");
    Path models = Files.createDirectories(folder.resolve("models"));
    try (FileSystem inside = FileSystems.newFileSystem(zip);
        Stream<Path> files = Files.walk(inside.getPath("/"))) {
      for (Path file : files.filter(f -> f.endsWith("model.onnx")).toList()) {
        Path model = models.resolve(file.getName(file.getNameCount() - 2).toString());
        Files.copy(file, Files.createDirectories(model).resolve("model.onnx"));
      }
    }
    return models;
  }
}
