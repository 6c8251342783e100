package io.miniinference.lower;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a kind of core operation costs its house: one that has rows of the op table, a type, a
/// text, an interpreter and kernels of its own on each device is known to few files besides its
/// own.
class OperationFootprintTest {
  private static final int MOST_FILES = 8;

  @ParameterizedTest
  @ValueSource(strings = {"TopK", "TreeEnsemble"})
  void anOperationIsKnownToFewFilesBesidesItsOwn(String operation) throws IOException {
    Pattern name = name(operation);
    List<Path> knowing =
        Stream.concat(
                sources(Path.of("../models")).stream(), sources(Path.of("../kernels")).stream())
            .filter(file -> !file.getFileName().toString().startsWith(operation))
            .filter(file -> names(file, name))
            .toList();
    assertThat(knowing).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_FILES);
  }

  /* Its record, or a class of its own; not what the standard calls it. */
  private static Pattern name(String operation) {
    return Pattern.compile(
        "Op\\.%1$s|record %1$s|ir\\.%1$s;|[,(] ?%1$s[,; {(]|%1$s[A-Z]".formatted(operation));
  }

  private static List<Path> sources(Path module) throws IOException {
    try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  /* In code: comments may speak of it. */
  private static boolean names(Path file, Pattern name) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .map(String::strip)
          .anyMatch(line -> !isComment(line) && name.matcher(line).find());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static boolean isComment(String line) {
    return line.startsWith("///") || line.startsWith("/*") || line.startsWith("//");
  }
}
