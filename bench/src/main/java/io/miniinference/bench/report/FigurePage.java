package io.miniinference.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A page that shows figures: between two markers, and made from committed results alone, so that
/// no figure there was ever typed.
///
/// @param path from the project's root
/// @param extent how much of the results it shows
/// @param suites which suites it shows, by name
public record FigurePage(String path, Extent extent, Predicate<String> suites) {
  /// How much of the results a page shows.
  public enum Extent {
    /// medians and ratios
    SUMMARY,
    /// every figure, with its spread
    FULL
  }

  private static final Set<String> PLANNER = Set.of("memory", "planner", "sharing", "soundness");
  private static final Set<String> FAILURES = Set.of("failures");

  /// All pages of the project.
  public static final List<FigurePage> ALL =
      List.of(
          new FigurePage(
              "README.md",
              Extent.SUMMARY,
              suite -> !PLANNER.contains(suite) && !FAILURES.contains(suite)),
          new FigurePage("docs/figures.md", Extent.FULL, suite -> !suite.equals("memory")),
          new FigurePage("docs/planner.md", Extent.SUMMARY, PLANNER::contains),
          new FigurePage("docs/failures.md", Extent.SUMMARY, FAILURES::contains));

  private static final String BEGIN =
      "<!-- figures: begin (./mie bench --readme writes them) -->\n";
  private static final String END = "<!-- figures: end -->";

  private static final String DAY = "2026-01-01";
  private static final String QUICK =
      "\nFrom a run with `--quick`, which shows that all runs, and not how fast.\n";

  /// The text with its figures made anew.
  ///
  /// @param text with both markers
  /// @param folder of results, `*.json`, shown in the order of their names
  /// @throws IllegalArgumentException if a marker is missing
  public String withFigures(String text, Path folder) {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException(
          "no place for figures: it starts with the line %send is %s".formatted(BEGIN, END));
    }
    return text.substring(0, begin + BEGIN.length()) + figures(folder) + text.substring(end);
  }

  private String figures(Path folder) {
    return files(folder).stream()
        .map(file -> of(Results.parse(read(file)), String.valueOf(file.getFileName())))
        .collect(Collectors.joining());
  }

  private String of(Results results, String file) {
    String shown =
        results.suites().stream()
            .filter(suite -> suites.test(suite.suite()))
            .map(suite -> head(suite, results, file) + body(suite))
            .collect(Collectors.joining());
    return results.isQuick() && !shown.isEmpty() ? QUICK + shown : shown;
  }

  private static String head(SuiteResult suite, Results results, String file) {
    return "\n**%s**: %s  \n%s; %s  \ncommit `%s`, %s, `bench/results/%s`\n\n"
        .formatted(
            suite.suite(),
            suite.title(),
            suite.device().text(),
            results.host().text(),
            results.build().text(),
            results.date().toString().substring(0, DAY.length()),
            file);
  }

  private String body(SuiteResult suite) {
    Grid grid =
        switch (extent) {
          case SUMMARY -> Grid.summary(suite);
          case FULL -> Grid.full(suite);
        };
    return MarkdownTable.of(grid) + lines(suite.notes()) + lines(suite.problems());
  }

  private static String lines(List<String> remarks) {
    return remarks.stream().map("\n%s\n"::formatted).collect(Collectors.joining());
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the results in " + folder, e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
