package io.miniinference.bench.report;

import static java.util.stream.Collectors.joining;

import io.miniinference.bench.measure.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The figures of a suite in rows and columns: a column per value of one parameter, and a group of
/// rows per name and values of the others.
///
/// @param header one cell per column; the first two are name and subject
/// @param rows as many cells each; the first is empty below the first row of a group
record Grid(List<String> header, List<List<String>> rows) {
  private static final int TEXT_COLUMNS = 2;

  /// All figures: in each group a row per subject and unit, then one per pair of subjects. Groups,
  /// rows and columns stand in the order in which they came.
  static Grid of(String across, Stream<? extends Figure> figures) {
    Map<String, Map<String, Map<String, String>>> groups = new LinkedHashMap<>();
    Set<String> columns = new LinkedHashSet<>();
    figures.forEach(figure -> {
      String column = figure.parameters().get(across);
      columns.add(column);
      groups
          .computeIfAbsent(
              figure.parameters().without(across).behind(figure.name()), _ -> new LinkedHashMap<>())
          .computeIfAbsent(figure.line(), _ -> new LinkedHashMap<>())
          .put(column, figure.text());
    });
    List<String> header = new ArrayList<>(List.of("", ""));
    columns.forEach(column ->
        header.add(header.size() == TEXT_COLUMNS ? (across + " " + column).strip() : column));
    return new Grid(header, rows(groups, columns));
  }

  private static List<List<String>> rows(
      Map<String, Map<String, Map<String, String>>> groups, Set<String> columns) {
    List<List<String>> rows = new ArrayList<>();
    groups.forEach((title, group) -> {
      int before = rows.size();
      group.forEach((line, cells) -> {
        List<String> row = new ArrayList<>(List.of(rows.size() == before ? title : "", line));
        columns.forEach(column -> row.add(cells.getOrDefault(column, "")));
        rows.add(row);
      });
    });
    return rows;
  }

  /// In aligned columns, for a terminal.
  String text() {
    String format = IntStream.range(0, header.size()).mapToObj(this::format).collect(joining("  "));
    Stream<List<String>> lines = Stream.concat(Stream.of(header), rows.stream());
    return lines
        .map(line -> format.formatted(line.toArray()).stripTrailing())
        .filter(line -> !line.isEmpty())
        .map(line -> line + "\n")
        .collect(joining());
  }

  private String format(int column) {
    Stream<List<String>> lines = Stream.concat(Stream.of(header), rows.stream());
    int width = lines.mapToInt(line -> line.get(column).length()).max().orElse(0);
    return "%" + (column < TEXT_COLUMNS ? "-" : "") + Math.max(1, width) + "s";
  }

  /// As a Markdown table.
  String markdown() {
    String rule = "|---|---|" + "--:|".repeat(header.size() - TEXT_COLUMNS) + "\n";
    return line(header) + rule + rows.stream().map(Grid::line).collect(joining());
  }

  private static String line(List<String> cells) {
    Stream<String> escaped = cells.stream().map(cell -> cell.replace("|", "\\|"));
    return escaped.collect(joining(" | ", "| ", " |\n"));
  }
}
