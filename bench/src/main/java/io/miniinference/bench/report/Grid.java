package io.miniinference.bench.report;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/// The figures of a suite in rows and columns: a column per value of one parameter, and a group of
/// rows per name and values of the others.
///
/// @param header one cell per column; the first two are name and subject
/// @param rows as many cells each; the first is empty below the first row of a group
record Grid(List<String> header, List<List<String>> rows) {

  /// All figures: in each group a row per subject and unit, then one per pair of subjects.
  static Grid of(SuiteResult result) {
    var cells = new Cells(result.across());
    for (Measurement figure : result.measurements()) {
      String line = figure.subject() + ", " + figure.unit().symbol();
      cells.put(figure.name(), figure.parameters(), line, Figures.text(figure.spread()));
    }
    for (Comparison figure : result.comparisons()) {
      String line = figure.subject() + " ÷ " + figure.peer();
      cells.put(figure.name(), figure.parameters(), line, Figures.text(figure.ratio()));
    }
    return cells.grid();
  }

  /// Whether there is anything in the header.
  boolean hasHeader() {
    return header.stream().anyMatch(cell -> !cell.isEmpty());
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

  /// Cells on their way into a grid; groups, lines and columns stand in the order in which they
  /// came.
  private static final class Cells {
    private final String across;
    private final SequencedSet<String> columns = new LinkedHashSet<>();
    private final Map<Group, Map<String, Map<String, String>>> groups = new LinkedHashMap<>();

    Cells(String across) {
      this.across = across;
    }

    void put(String name, Parameters parameters, String line, String cell) {
      String column = parameters.get(across);
      columns.add(column);
      groups
          .computeIfAbsent(new Group(name, parameters.without(across)), _ -> new LinkedHashMap<>())
          .computeIfAbsent(line, _ -> new LinkedHashMap<>())
          .put(column, cell);
    }

    Grid grid() {
      List<List<String>> rows = new ArrayList<>();
      groups.forEach((group, lines) -> add(group, lines, rows));
      return new Grid(header(), rows);
    }

    private List<String> header() {
      List<String> header = new ArrayList<>(List.of("", ""));
      for (String column : columns) {
        header.add(header.size() == 2 ? (across + " " + column).strip() : column);
      }
      return header;
    }

    private void add(Group group, Map<String, Map<String, String>> lines, List<List<String>> rows) {
      String title = group.text();
      for (Map.Entry<String, Map<String, String>> line : lines.entrySet()) {
        List<String> row = new ArrayList<>(List.of(title, line.getKey()));
        columns.forEach(column -> row.add(line.getValue().getOrDefault(column, "")));
        rows.add(row);
        title = "";
      }
    }
  }

  /// What the rows of a group have in common.
  private record Group(String name, Parameters parameters) {
    String text() {
      return parameters.values().isEmpty() ? name : name + ", " + parameters.text();
    }
  }
}
