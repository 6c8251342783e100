package io.miniinference.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.report.Readme;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The figures in the project's README and in its page of figures.
final class ReadmeFiguresTest {
  private static final Path PROJECT = Path.of(System.getProperty("basedir", ".")).resolve("..");

  @Test
  void areThoseOfTheCommittedResults() throws Exception {
    assertIsUpToDate("README.md", Readme.Extent.SUMMARY);
    assertIsUpToDate("docs/figures.md", Readme.Extent.FULL);
  }

  private static void assertIsUpToDate(String page, Readme.Extent extent) throws Exception {
    String text = Files.readString(PROJECT.resolve(page));

    assertThat(Readme.withFigures(text, PROJECT.resolve("bench/results"), extent))
        .as("%s; ./mie bench --readme writes the figures of bench/results into it", page)
        .isEqualTo(text);
  }
}
