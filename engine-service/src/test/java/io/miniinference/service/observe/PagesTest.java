package io.miniinference.service.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.HeapServiceTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The pages of the documentation name only what there is.
final class PagesTest extends HeapServiceTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern METRIC = Pattern.compile("\\bengine(_[a-z]+)+");
  private static final Pattern PROPERTY = Pattern.compile("\\bengine(\\.[a-z-]+)+");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

  @Test
  void everyMetricOfThePageIsScraped() throws IOException {
    String scraped = client().get("/actuator/prometheus").body();

    assertThat(found(METRIC, "operate.md"))
        .hasSizeGreaterThan(12)
        .allSatisfy(metric -> assertThat(scraped).contains("\n" + metric));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"serve.md", "operate.md", "pytorch.md", "triton.md", "troubleshooting.md"})
  void everyPropertyOfAPageIsASetting(String page) throws IOException {
    String settings = Files.readString(DOCS.resolve("settings.md"));

    assertThat(found(PROPERTY, page))
        .isNotEmpty()
        .allSatisfy(property -> assertThat(settings).contains("`" + known(property) + "`"));
  }

  /* Settings of single models are one line of the table. */
  private static String known(String property) {
    return property.startsWith("engine.models.settings") ? "engine.models.settings" : property;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve.md",
        "operate.md",
        "pytorch.md",
        "triton.md",
        "troubleshooting.md",
        "compare.md",
      })
  void everyLinkOfAPageLeadsToAFile(String page) throws IOException {
    List<String> links =
        LINK.matcher(Files.readString(DOCS.resolve(page)))
            .results()
            .map(link -> link.group(1))
            .toList();

    assertThat(links).allSatisfy(link -> assertThat(DOCS.resolve(link)).exists());
  }

  private static Set<String> found(Pattern pattern, String page) throws IOException {
    return pattern
        .matcher(Files.readString(DOCS.resolve(page)))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
