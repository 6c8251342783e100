package io.miniinference.lower;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a kind of core operation costs its house: TopK, which has a row of the op table, a type, a
/// text, an interpreter and kernels of several launches on each device, is known to few files
/// besides its own.
class OperationFootprintTest {
  private static final int MOST_FILES = 8;

  /* Its record, or a class of its own; not what the standard calls it. */
  private static final Pattern NAME = Pattern.compile("Op\\.TopK|record TopK|TopK[A-Z]");

  @Test
  void anOperationIsKnownToFewFilesBesidesItsOwn() throws IOException {
    List<Path> knowing =
        Stream.concat(sources(Path.of("../models")), sources(Path.of("../kernels")))
            .filter(file -> !file.getFileName().toString().startsWith("TopK"))
            .filter(OperationFootprintTest::names)
            .toList();
    assertThat(knowing).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_FILES);
  }

  private static Stream<Path> sources(Path module) throws IOException {
    return Files.walk(module.resolve("src/main/java"))
        .filter(file -> file.toString().endsWith(".java"));
  }

  /* In code: comments may speak of it. */
  private static boolean names(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .map(String::strip)
          .anyMatch(line -> !isComment(line) && NAME.matcher(line).find());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static boolean isComment(String line) {
    return line.startsWith("///") || line.startsWith("/*") || line.startsWith("//");
  }
}
