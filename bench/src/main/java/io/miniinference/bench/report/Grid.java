package io.miniinference.bench.report;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/// The figures of a suite in rows and columns: a column per value of one parameter, a group of rows
/// per name and values of the others, and in a group a row per subject and unit, then one per pair
/// of subjects.
///
/// @param header one cell per column; the first two are what and who
/// @param rows as many cells each; the first is empty below the first row of a group
record Grid(List<String> header, List<List<String>> rows) {

  static Grid of(SuiteResult result) {
    SequencedSet<String> columns = new LinkedHashSet<>();
    Map<Group, Map<String, Map<String, String>>> groups = new LinkedHashMap<>();
    for (Measurement figure : result.measurements()) {
      String column = figure.parameters().get(result.across());
      columns.add(column);
      lines(groups, figure.name(), figure.parameters(), result.across())
          .computeIfAbsent(line(figure), _ -> new LinkedHashMap<>())
          .put(column, Figures.text(figure.spread()));
    }
    for (Comparison figure : result.comparisons()) {
      String column = figure.parameters().get(result.across());
      columns.add(column);
      lines(groups, figure.name(), figure.parameters(), result.across())
          .computeIfAbsent(line(figure), _ -> new LinkedHashMap<>())
          .put(column, Figures.text(figure.ratio()));
    }
    return new Grid(header(result.across(), columns), rows(groups, columns));
  }

  /// What the rows of a group have in common.
  private record Group(String name, Parameters parameters) {
    String text() {
      return parameters.values().isEmpty() ? name : name + ", " + parameters.text();
    }
  }

  private static Map<String, Map<String, String>> lines(
      Map<Group, Map<String, Map<String, String>>> groups,
      String name,
      Parameters parameters,
      String across) {
    return groups.computeIfAbsent(
        new Group(name, parameters.without(across)), _ -> new LinkedHashMap<>());
  }

  private static String line(Measurement figure) {
    return figure.subject() + ", " + figure.unit().symbol();
  }

  private static String line(Comparison figure) {
    return figure.subject() + " ÷ " + figure.peer();
  }

  private static List<String> header(String across, Collection<String> columns) {
    List<String> header = new ArrayList<>(List.of("", ""));
    for (String column : columns) {
      header.add(header.size() == 2 ? (across + " " + column).strip() : column);
    }
    return header;
  }

  private static List<List<String>> rows(
      Map<Group, Map<String, Map<String, String>>> groups, Collection<String> columns) {
    List<List<String>> rows = new ArrayList<>();
    groups.forEach((group, lines) -> {
      int first = rows.size();
      lines.forEach((line, cells) -> {
        List<String> row = new ArrayList<>();
        row.add(rows.size() == first ? group.text() : "");
        row.add(line);
        columns.forEach(column -> row.add(cells.getOrDefault(column, "")));
        rows.add(row);
      });
    });
    return rows;
  }
}
