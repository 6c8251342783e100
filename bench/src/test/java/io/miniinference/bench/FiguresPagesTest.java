package io.miniinference.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.measure.FiguresPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The figures in the project's README and docs.
final class FiguresPagesTest {
  private static final Path PROJECT = Path.of(System.getProperty("basedir", ".")).resolve("..");

  static List<FiguresPage> pages() {
    return FiguresPage.ALL;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void showTheCommittedResults(FiguresPage page) throws Exception {
    String text = Files.readString(PROJECT.resolve(page.path()));

    assertThat(page.withFigures(text, PROJECT.resolve("bench/results")))
        .as("%s; ./mie bench --readme writes the figures of bench/results into it", page.path())
        .isEqualTo(text);
  }
}
