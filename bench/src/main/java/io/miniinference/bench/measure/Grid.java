package io.miniinference.bench.measure;

import module java.base;

/// The figures of a suite in rows and columns: a column per value of one parameter, and a group of
/// rows per name and values of the others. Groups, rows and columns stand in the order in which
/// they came.
final class Grid {
  private static final int TEXT_COLUMNS = 2;

  private final String across;
  private final Set<String> columns = new LinkedHashSet<>();
  private final Map<String, Map<String, Map<String, String>>> groups = new LinkedHashMap<>();

  /// @param across the parameter whose values are columns
  Grid(String across) {
    this.across = across;
  }

  /// Adds a figure.
  ///
  /// @param name what was measured, such as a model
  /// @param row whose figure of what it is
  void add(String name, Parameters parameters, String row, String figure) {
    String column = parameters.get(across);
    columns.add(column);
    groups
        .computeIfAbsent(parameters.without(across).behind(name), _ -> new LinkedHashMap<>())
        .computeIfAbsent(row, _ -> new LinkedHashMap<>())
        .put(column, figure);
  }

  /* The header, and then the rows, of which only the first of a group has its name. */
  private List<List<String>> lines() {
    List<List<String>> lines = new ArrayList<>();
    List<String> header = new ArrayList<>(List.of("", ""));
    columns.forEach(column ->
        header.add(header.size() == TEXT_COLUMNS ? (across + " " + column).strip() : column));
    lines.add(header);
    groups.forEach((title, group) -> {
      int before = lines.size();
      group.forEach((row, cells) -> {
        List<String> line = new ArrayList<>(List.of(lines.size() == before ? title : "", row));
        columns.forEach(column -> line.add(cells.getOrDefault(column, "")));
        lines.add(line);
      });
    });
    return lines;
  }

  /// In aligned columns, for a terminal.
  String text() {
    List<List<String>> lines = lines();
    String format =
        IntStream.range(0, lines.getFirst().size())
            .mapToObj(i -> format(i, lines.stream().mapToInt(line -> line.get(i).length())))
            .collect(Collectors.joining("  "));
    return lines.stream()
        .map(line -> format.formatted(line.toArray()).stripTrailing())
        .filter(line -> !line.isEmpty())
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private static String format(int column, IntStream widths) {
    return "%" + (column < TEXT_COLUMNS ? "-" : "") + Math.max(1, widths.max().orElse(0)) + "s";
  }

  /// As a Markdown table.
  String markdown() {
    String rule = "|---|---|" + "--:|".repeat(columns.size()) + "\n";
    List<String> lines = lines().stream().map(Grid::line).toList();
    return lines.getFirst() + rule + String.join("", lines.subList(1, lines.size()));
  }

  private static String line(List<String> cells) {
    Stream<String> escaped = cells.stream().map(cell -> cell.replace("|", "\\|"));
    return escaped.collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
