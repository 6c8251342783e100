package io.miniinference.bench.report;

import static io.miniinference.bench.report.FigurePage.Extent.FULL;
import static io.miniinference.bench.report.FigurePage.Extent.SUMMARY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Results as JSON, as text and in a README.
final class ReportTest {
  private static final Parameters ONE = Parameters.of("batch", 1);
  private static final Parameters MANY = Parameters.of("batch", 256);

  private static final Results RESULTS =
      new Results(
          new Build("0.1.0", "0123456789abcdef", false),
          Instant.parse("2026-11-24T10:00:00Z"),
          List.of("models", "--threads", "2"),
          new Host("Some CPU", 2, 2, "Linux 6.1", "Temurin 25"),
          List.of(
              new SuiteResult(
                  "models",
                  "time of a request",
                  new MeasuredDevice("OPENCL_CPU", "basic", "PoCL", "3.1", 2),
                  "batch",
                  List.of(
                      time("mnist-cnn", ONE, "engine", new Spread(31.25, 30.5, 33, 15)),
                      time("mnist-cnn", ONE, "peer 1.0", new Spread(62.5, 61, 65, 15)),
                      time("mnist-cnn", MANY, "engine", new Spread(1234.5, 1200, 1300.4, 15)),
                      new Measurement(
                          "mnist-cnn", MANY, "arena", Unit.BYTES, Spread.exact(451_584)),
                      time("mnist-mlp", ONE, "engine", new Spread(0.02, 0.01, 0.05, 15))),
                  List.of(
                      new Comparison(
                          "mnist-cnn", ONE, "engine", "peer 1.0", new Ratio(0.5, 0.48, 0.51, 15))),
                  List.of("a peer was missing"),
                  List.of("outputs of mnist-mlp differ"))));

  private static Measurement time(
      String name, Parameters parameters, String subject, Spread spread) {
    return new Measurement(name, parameters, subject, Unit.MICROSECONDS, spread);
  }

  @Test
  void jsonReadsBackAsItWas() {
    assertThat(Results.parse(RESULTS.json())).isEqualTo(RESULTS);
  }

  @Test
  void aSuiteIsAddedBehindTheOthers() {
    SuiteResult suite = RESULTS.suites().getFirst();
    assertThat(RESULTS.with(suite).suites()).containsExactly(suite, suite);
    assertThat(RESULTS.suites()).hasSize(1);
  }

  @Test
  void jsonHasPlainNames() {
    assertThat(RESULTS.json().replaceAll("\\s+", ""))
        .contains(
            "\"commit\":\"0123456789abcdef\",\"dirty\":false",
            "\"date\":\"2026-11-24T10:00:00Z\"",
            "\"parameters\":{\"batch\":\"1\"},\"subject\":\"engine\",\"unit\":\"MICROSECONDS\"",
            "\"spread\":{\"median\":31.25,\"low\":30.5,\"high\":33.0,\"samples\":15}",
            "\"ratio\":{\"value\":0.5,\"low\":0.48,\"high\":0.51,\"pairs\":15}");
  }

  @Test
  void aTableHasAColumnPerBatchAndARowPerSubject() {
    assertThat(TextTable.heading(RESULTS) + TextTable.of(RESULTS.suites().getFirst()))
        .isEqualToNormalizingNewlines(
            """
            commit 012345678, 2026-11-24T10:00:00Z
            Some CPU, 2 cores, Linux 6.1, Temurin 25

            models: time of a request
            basic (PoCL), driver 3.1, 2 workers
                                                         batch 1                  256
            mnist-cnn  engine, µs               31.3 (30.5–33.0)  1,235 (1,200–1,300)
                       peer 1.0, µs             62.5 (61.0–65.0)
                       arena, bytes                                           451,584
                       engine ÷ peer 1.0     0.500 [0.480–0.510]
            mnist-mlp  engine, µs         0.0200 (0.0100–0.0500)
            note: a peer was missing
            PROBLEM: outputs of mnist-mlp differ
            """);
  }

  @Test
  void aReadmeHoldsTheResultsBetweenItsMarkers(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("pocl.json"), RESULTS.json());
    String readme =
        """
        before
        <!-- figures: begin (./mie bench --readme writes them) -->
        old
        <!-- figures: end -->
        after
        """;
    String written = page(SUMMARY).withFigures(readme, folder);
    assertThat(written)
        .startsWith("before\n<!-- figures: begin")
        .endsWith("<!-- figures: end -->\nafter\n")
        .contains(
            """
            |  |  | batch 1 | 256 |
            |---|---|--:|--:|
            | mnist-cnn | engine, µs (peer 1.0) | 31.3 (0.500×) |  |
            |  | engine, µs |  | 1,235 |
            | mnist-mlp | engine, µs | 0.0200 |  |
            """,
            "commit `012345678`, 2026-11-24, `bench/results/pocl.json`",
            "a peer was missing",
            "outputs of mnist-mlp differ")
        .doesNotContain("old");
    assertThat(page(SUMMARY).withFigures(written, folder)).isEqualTo(written);
    assertThat(page(FULL).withFigures(written, folder))
        .contains(
            "| mnist-cnn | engine, µs | 31.3 (30.5–33.0) | 1,235 (1,200–1,300) |",
            "a peer was missing",
            "outputs of mnist-mlp differ");
  }

  @Test
  void figuresOfAQuickRunAreCalledThat(@TempDir Path folder) throws Exception {
    Results quick =
        new Results(
            RESULTS.build(), RESULTS.date(), List.of("--quick"), RESULTS.host(), RESULTS.suites());
    String empty =
        "<!-- figures: begin (./mie bench --readme writes them) -->\n<!-- figures: end -->";

    Files.writeString(folder.resolve("pocl.json"), RESULTS.json());
    assertThat(page(SUMMARY).withFigures(empty, folder)).doesNotContain("--quick");
    Files.writeString(folder.resolve("pocl.json"), quick.json());
    assertThat(page(SUMMARY).withFigures(empty, folder)).contains("a run with `--quick`");
  }

  @Test
  void aReadmeWithoutMarkersIsRefused(@TempDir Path folder) {
    assertThatThrownBy(() -> page(SUMMARY).withFigures("nothing here", folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("figures: begin");
  }

  @Test
  void theBuildSaysOfWhatItIs() {
    Build build = Build.current();
    assertThat(build.version()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(build.commit()).matches("[0-9a-f]{40}|unknown");
    assertThat(new Build("1", "unknown", true).text()).isEqualTo("unknown+");
  }

  private static FigurePage page(FigurePage.Extent extent) {
    return new FigurePage("README.md", extent, _ -> true);
  }
}
