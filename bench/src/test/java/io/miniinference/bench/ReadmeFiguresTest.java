package io.miniinference.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.report.Readme;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The figures in the project's README.
final class ReadmeFiguresTest {
  private static final Path PROJECT = Path.of(System.getProperty("basedir", ".")).resolve("..");

  @Test
  void areThoseOfTheCommittedResults() throws Exception {
    String readme = Files.readString(PROJECT.resolve("README.md"));

    assertThat(Readme.withFigures(readme, PROJECT.resolve("bench/results")))
        .as("README.md; ./mie bench --readme writes the figures of bench/results into it")
        .isEqualTo(readme);
  }
}
