package io.miniinference.bench.measure;

import module java.base;

/// A page that shows figures: between two markers, and made from committed results alone, so that
/// no figure there was ever typed.
///
/// @param path from the project's root
/// @param figures all results by the names of their files, as text
public record FiguresPage(String path, Function<Map<String, Results>, String> figures) {
  /// All pages of the project.
  public static final List<FiguresPage> ALL =
      List.of(
          new FiguresPage("README.md", KeyFigures::table),
          new FiguresPage("docs/figures.md", FiguresPage::everything));

  private static final String BEGIN =
      "<!-- figures: begin (./mie bench --readme writes them) -->\n";
  private static final String END = "<!-- figures: end -->";
  private static final int DAY = "2026-01-01".length();

  /// Writes the page of a project anew.
  public void write(Path root) throws IOException {
    Path page = root.resolve(path);
    Files.writeString(page, withFigures(Files.readString(page), root.resolve("bench/results")));
  }

  /// The text with its figures made anew.
  ///
  /// @param text with both markers
  /// @param folder of results, `*.json`, shown in the order of their names
  /// @throws IllegalArgumentException if a marker is missing
  public String withFigures(String text, Path folder) throws IOException {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException(
          "no place for figures: it starts with the line %send is %s".formatted(BEGIN, END));
    }
    Map<String, Results> results = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
      for (Path file : files) {
        results.put(String.valueOf(file.getFileName()), Results.parse(Files.readString(file)));
      }
    }
    String before = text.substring(0, begin + BEGIN.length());
    return before + figures.apply(results) + text.substring(end);
  }

  /// Every figure, with its spread.
  private static String everything(Map<String, Results> files) {
    return files.entrySet().stream()
        .flatMap(file ->
            file.getValue().suites().stream()
                .map(suite -> suite.markdown(origin(file.getKey(), file.getValue()))))
        .collect(Collectors.joining());
  }

  private static String origin(String file, Results results) {
    return "%s  \ncommit `%s`, %s, `bench/results/%s`%s"
        .formatted(
            results.host().text(),
            results.build().text(),
            results.date().toString().substring(0, DAY),
            file,
            results.isQuick() ? "; from a quick run, which shows that all runs" : "");
  }
}
