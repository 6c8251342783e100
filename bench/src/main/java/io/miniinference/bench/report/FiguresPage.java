package io.miniinference.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A page that shows figures: between two markers, and made from committed results alone, so that
/// no figure there was ever typed.
///
/// @param path from the project's root
/// @param figures all results by the names of their files, as text
public record FiguresPage(String path, Function<List<FiguresPage.File>, String> figures) {
  /// All pages of the project.
  public static final List<FiguresPage> ALL =
      List.of(
          new FiguresPage("README.md", KeyFigures::table),
          new FiguresPage("docs/figures.md", FiguresPage::everything));

  private static final String BEGIN =
      "<!-- figures: begin (./mie bench --readme writes them) -->\n";
  private static final String END = "<!-- figures: end -->";
  private static final int DAY = "2026-01-01".length();

  /// Results with the name of their file.
  public record File(String name, Results results) {}

  /// Writes the page of a project anew.
  ///
  /// @param root of the project
  public void write(Path root) throws IOException {
    Path page = root.resolve(path);
    Files.writeString(page, withFigures(Files.readString(page), root.resolve("bench/results")));
  }

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
    return text.substring(0, begin + BEGIN.length())
        + figures.apply(files(folder))
        + text.substring(end);
  }

  private static List<File> files(Path folder) {
    List<File> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*.json")) {
      for (Path file : all) {
        String name = String.valueOf(file.getFileName());
        files.add(new File(name, Results.parse(Files.readString(file))));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the results in " + folder, e);
    }
    files.sort(Comparator.comparing(File::name));
    return files;
  }

  /// Every figure, with its spread.
  private static String everything(List<File> files) {
    return files.stream()
        .flatMap(file -> file.results().suites().stream().map(suite -> text(suite, file)))
        .collect(Collectors.joining());
  }

  private static String text(SuiteResult suite, File file) {
    Results results = file.results();
    String quick = results.isQuick() ? "; from a quick run, which shows that all runs" : "";
    return suite.markdown(
        "%s  \ncommit `%s`, %s, `bench/results/%s`%s"
            .formatted(
                results.host().text(),
                results.build().text(),
                results.date().toString().substring(0, DAY),
                file.name(),
                quick));
  }
}
