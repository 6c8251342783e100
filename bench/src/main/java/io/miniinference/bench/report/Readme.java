package io.miniinference.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The part of a README that shows figures: between two markers, and made from committed results
/// alone, so that no figure there was ever typed.
public final class Readme {
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
  public static String withFigures(String text, Path folder) {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException(
          "no place for figures: it starts with the line %send is %s".formatted(BEGIN, END));
    }
    return text.substring(0, begin + BEGIN.length()) + figures(folder) + text.substring(end);
  }

  private static String figures(Path folder) {
    return files(folder).stream()
        .map(file -> of(Results.parse(read(file)), String.valueOf(file.getFileName())))
        .collect(Collectors.joining());
  }

  private static String of(Results results, String file) {
    return (results.isQuick() ? QUICK : "")
        + results.suites().stream()
            .map(suite -> of(suite, results, file))
            .collect(Collectors.joining());
  }

  private static String of(SuiteResult suite, Results results, String file) {
    return "\n**%s**: %s  \n%s; %s  \ncommit `%s`, %s, [`%s`](bench/results/%s)\n\n%s%s%s"
        .formatted(
            suite.suite(),
            suite.title(),
            suite.device().text(),
            results.host().text(),
            results.build().text(),
            results.date().toString().substring(0, DAY.length()),
            file,
            file,
            MarkdownTable.of(Grid.summary(suite)),
            Stream.concat(suite.notes().stream(), suite.problems().stream())
                .map("\n%s\n"::formatted)
                .collect(Collectors.joining()),
            details(suite));
  }

  /// Everything, folded away, where there is more than the summary.
  private static String details(SuiteResult suite) {
    return suite.comparisons().isEmpty()
        ? ""
        : "\n<details><summary>with spreads</summary>\n\n%s\n</details>\n"
            .formatted(MarkdownTable.of(Grid.full(suite)));
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
