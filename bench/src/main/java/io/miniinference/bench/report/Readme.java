package io.miniinference.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The part of a page that shows figures: between two markers, and made from committed results
/// alone, so that no figure there was ever typed.
public final class Readme {
  /// How much of the results a page shows.
  public enum Extent {
    /// medians and ratios
    SUMMARY,
    /// every figure, with its spread
    FULL
  }

  private static final String BEGIN =
      "<!-- figures: begin (./mie bench --readme writes them) -->\n";
  private static final String END = "<!-- figures: end -->";

  private static final String DAY = "2026-01-01";
  private static final String QUICK =
      "\nFrom a run with `--quick`, which shows that all runs, and not how fast.\n";

  private Readme() {}

  /// The text with its figures made anew.
  ///
  /// @param text with both markers
  /// @param folder of results, `*.json`, shown in the order of their names
  /// @throws IllegalArgumentException if a marker is missing
  public static String withFigures(String text, Path folder, Extent extent) {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException(
          "no place for figures: it starts with the line %send is %s".formatted(BEGIN, END));
    }
    return text.substring(0, begin + BEGIN.length())
        + figures(folder, extent)
        + text.substring(end);
  }

  private static String figures(Path folder, Extent extent) {
    return files(folder).stream()
        .map(file -> of(Results.parse(read(file)), String.valueOf(file.getFileName()), extent))
        .collect(Collectors.joining());
  }

  private static String of(Results results, String file, Extent extent) {
    return (results.isQuick() ? QUICK : "")
        + results.suites().stream()
            .map(suite -> head(suite, results, file) + body(suite, extent))
            .collect(Collectors.joining());
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

  private static String body(SuiteResult suite, Extent extent) {
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
