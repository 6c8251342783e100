package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The page on embedding shows pieces of the examples, which are built and run.
final class EmbedPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK =
      Pattern.compile("^```(java|xml|yaml)\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  @Test
  void whatThePageShowsStandsInAnExample() throws IOException {
    List<String> examples = examples();
    List<String> blocks =
        BLOCK
            .matcher(Files.readString(ROOT.resolve("docs/embed.md")))
            .results()
            .map((MatchResult block) -> words(block.group(2)))
            .toList();

    assertThat(blocks)
        .hasSizeGreaterThan(5)
        .allSatisfy(
            block -> assertThat(examples).anySatisfy(file -> assertThat(file).contains(block)));
  }

  private static List<String> examples() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("examples"))) {
      return files
          .filter(file -> file.toString().matches(".*/(src/.*\\.(java|yaml)|[^/]+/pom\\.xml)"))
          .filter(file -> !file.startsWith(ROOT.resolve("examples/target")))
          .map(EmbedPageTest::read)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return words(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String words(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
