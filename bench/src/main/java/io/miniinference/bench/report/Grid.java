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
/// @param header one cell per column; the first two are what and who
/// @param rows as many cells each; the first is empty below the first row of a group
record Grid(List<String> header, List<List<String>> rows) {

  /// All figures: in each group a row per subject and unit, then one per pair of subjects.
  static Grid full(SuiteResult result) {
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

  /// The medians of the subjects that were compared with peers, each time with its ratios to them;
  /// everything where nothing was compared.
  static Grid summary(SuiteResult result) {
    List<String> subjects =
        result.comparisons().stream().map(Comparison::subject).distinct().toList();
    if (subjects.isEmpty()) {
      return full(result);
    }
    var cells = new Cells(result.across());
    for (Measurement figure : result.measurements()) {
      if (subjects.contains(figure.subject())) {
        List<Comparison> ratios = ratios(result, figure);
        String line = figure.subject() + ", " + figure.unit().symbol() + peers(ratios);
        cells.put(figure.name(), figure.parameters(), line, median(figure, ratios));
      }
    }
    return cells.grid();
  }

  private static List<Comparison> ratios(SuiteResult result, Measurement figure) {
    return result.comparisons().stream()
        .filter(ratio -> figure.unit().isTime())
        .filter(ratio -> ratio.name().equals(figure.name()))
        .filter(ratio -> ratio.parameters().equals(figure.parameters()))
        .filter(ratio -> ratio.subject().equals(figure.subject()))
        .toList();
  }

  private static String peers(List<Comparison> ratios) {
    return ratios.stream()
        .map(Comparison::peer)
        .collect(Collectors.collectingAndThen(Collectors.joining(", "), Grid::inBrackets));
  }

  private static String median(Measurement figure, List<Comparison> ratios) {
    return Figures.median(figure.spread())
        + ratios.stream()
            .map(ratio -> Figures.text(ratio.ratio().value()) + "×")
            .collect(Collectors.collectingAndThen(Collectors.joining(", "), Grid::inBrackets));
  }

  private static String inBrackets(String text) {
    return text.isEmpty() ? "" : " (" + text + ")";
  }

  /// Whether there is anything in the header.
  boolean hasHeader() {
    return header.stream().anyMatch(cell -> !cell.isEmpty());
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
