package io.miniinference.bench.report;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The figures of a suite in rows and columns: a column per value of one parameter, and a group of
/// rows per name and values of the others.
///
/// @param header one cell per column; the first two are name and subject
/// @param rows as many cells each; the first is empty below the first row of a group
record Grid(List<String> header, List<List<String>> rows) {
  private static final int TEXT_COLUMNS = 2;

  /// All figures: in each group a row per subject and unit, then one per pair of subjects. Groups,
  /// rows and columns stand in the order in which they came.
  static Grid of(SuiteResult result) {
    Map<String, Map<String, Map<String, String>>> groups = new LinkedHashMap<>();
    for (Measurement figure : result.measurements()) {
      String line = figure.subject() + ", " + figure.unit().symbol();
      row(figure.name(), figure.parameters(), result.across(), line, groups)
          .put(figure.parameters().get(result.across()), figure.spread().text());
    }
    for (Comparison figure : result.comparisons()) {
      String line = figure.subject() + " ÷ " + figure.peer();
      row(figure.name(), figure.parameters(), result.across(), line, groups)
          .put(figure.parameters().get(result.across()), figure.ratio().text());
    }
    Set<String> columns = new LinkedHashSet<>();
    groups.values().forEach(rows -> rows.values().forEach(row -> columns.addAll(row.keySet())));
    List<List<String>> rows = new ArrayList<>();
    groups.forEach((title, group) -> add(title, group, columns, rows));
    return new Grid(header(result.across(), columns), rows);
  }

  private static Map<String, String> row(
      String name,
      Parameters parameters,
      String across,
      String line,
      Map<String, Map<String, Map<String, String>>> groups) {
    return groups
        .computeIfAbsent(parameters.without(across).behind(name), _ -> new LinkedHashMap<>())
        .computeIfAbsent(line, _ -> new LinkedHashMap<>());
  }

  private static List<String> header(String across, Set<String> columns) {
    List<String> header = new ArrayList<>(List.of("", ""));
    for (String column : columns) {
      header.add(header.size() == 2 ? (across + " " + column).strip() : column);
    }
    return header;
  }

  private static void add(
      String title,
      Map<String, Map<String, String>> group,
      Set<String> columns,
      List<List<String>> to) {
    int before = to.size();
    group.forEach((line, cells) -> {
      List<String> row = new ArrayList<>(List.of(to.size() == before ? title : "", line));
      columns.forEach(column -> row.add(cells.getOrDefault(column, "")));
      to.add(row);
    });
  }

  /// In aligned columns, for a terminal.
  String text() {
    List<List<String>> lines = new ArrayList<>(rows);
    if (header.stream().anyMatch(cell -> !cell.isEmpty())) {
      lines.addFirst(header);
    }
    return lines.stream().map(line -> aligned(line, lines)).collect(Collectors.joining());
  }

  private static String aligned(List<String> line, List<List<String>> all) {
    var text = new StringBuilder();
    for (int i = 0; i < line.size(); i++) {
      int column = i;
      int width = all.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
      String space = " ".repeat(width - line.get(i).length());
      text.append(i < TEXT_COLUMNS ? line.get(i) + space : space + line.get(i)).append("  ");
    }
    return text.toString().stripTrailing() + "\n";
  }

  /// As a Markdown table.
  String markdown() {
    String rule = "|---|---|" + "--:|".repeat(header.size() - 2) + "\n";
    return line(header) + rule + rows.stream().map(Grid::line).collect(Collectors.joining());
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
