package io.miniinference.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
                          "mnist-cnn", MANY, "arena", Unit.ARENA_BYTES, Spread.exact(451_584)),
                      time("mnist-mlp", ONE, "engine", new Spread(0.02, 0.01, 0.05, 15))),
                  List.of(
                      new Comparison(
                          "mnist-cnn", ONE, "engine", "peer 1.0", new Ratio(0.5, 0.48, 0.51, 15))),
                  List.of("a peer was missing"),
                  List.of("outputs of mnist-mlp differ"))));

  private static final FiguresPage KEY = FiguresPage.ALL.getFirst();
  private static final FiguresPage ALL = FiguresPage.ALL.getLast();
  private static final String EMPTY =
      "<!-- figures: begin (./mie bench --readme writes them) -->\n<!-- figures: end -->";

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
    assertThat(RESULTS.heading() + RESULTS.suites().getFirst().text())
        .isEqualToNormalizingNewlines(
            """
            commit 012345678, 2026-11-24T10:00:00Z
            Some CPU, 2 cores, Linux 6.1, Temurin 25

            models: time of a request
            basic (PoCL), driver 3.1, 2 workers
                                                             batch 1                  256
            mnist-cnn  engine, µs                   31.3 (30.5–33.0)  1,235 (1,200–1,300)
                       peer 1.0, µs                 62.5 (61.0–65.0)
                       arena, bytes of arena                                      451,584
                       engine ÷ peer 1.0         0.500 [0.480–0.510]
            mnist-mlp  engine, µs             0.0200 (0.0100–0.0500)
            note: a peer was missing
            PROBLEM: outputs of mnist-mlp differ
            """);
  }

  @Test
  void aPageHoldsAllResultsBetweenItsMarkers(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("pocl.json"), RESULTS.json());
    String page =
        """
        before
        <!-- figures: begin (./mie bench --readme writes them) -->
        old
        <!-- figures: end -->
        after
        """;
    String written = ALL.withFigures(page, folder);
    assertThat(written)
        .startsWith("before\n<!-- figures: begin")
        .endsWith("<!-- figures: end -->\nafter\n")
        .contains(
            """
            |  |  | batch 1 | 256 |
            |---|---|--:|--:|
            | mnist-cnn | engine, µs | 31.3 (30.5–33.0) | 1,235 (1,200–1,300) |
            """,
            "commit `012345678`, 2026-11-24, `bench/results/pocl.json`",
            "a peer was missing",
            "outputs of mnist-mlp differ")
        .doesNotContain("old", "quick");
    assertThat(ALL.withFigures(written, folder)).isEqualTo(written);
  }

  @Test
  void theReadmeHoldsAFewRatios(@TempDir Path folder) throws Exception {
    String json = RESULTS.json().replace("peer 1.0", "ONNX Runtime 1.0");
    Files.writeString(folder.resolve("pocl.json"), json);

    assertThat(KEY.withFigures(EMPTY, folder).lines())
        .containsSequence(
            "| what | on | runs | median | beside | time ÷ its time |",
            "|---|---|---|--:|---|--:|",
            "| mnist-cnn, batch 1 | basic | engine | 31.3 µs | ONNX Runtime 1.0 | 0.500 [0.480–0.510] |");
  }

  @Test
  void figuresOfAQuickRunAreCalledThat(@TempDir Path folder) throws Exception {
    Results quick =
        new Results(
            RESULTS.build(), RESULTS.date(), List.of("--quick"), RESULTS.host(), RESULTS.suites());

    Files.writeString(folder.resolve("pocl.json"), quick.json());
    assertThat(ALL.withFigures(EMPTY, folder)).contains("a quick run");
  }

  @Test
  void aReadmeWithoutMarkersIsRefused(@TempDir Path folder) {
    assertThatThrownBy(() -> ALL.withFigures("nothing here", folder))
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
}
