package io.miniinference.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Results as plain text for a terminal.
public final class TextTable {
  private static final int TEXT_COLUMNS = 2;

  private TextTable() {}

  /// What was measured, when and where: one line each.
  public static String heading(Results results) {
    return "commit %s, %s%n%s%n"
        .formatted(results.build().text(), results.date(), results.host().text());
  }

  /// A suite, after an empty line.
  public static String of(SuiteResult result) {
    var text = new StringBuilder();
    text.append("%n%s: %s%n".formatted(result.suite(), result.title()));
    text.append("%s%n".formatted(result.device().text()));
    Grid grid = Grid.of(result);
    List<List<String>> lines = new ArrayList<>(grid.rows());
    if (grid.hasHeader()) {
      lines.addFirst(grid.header());
    }
    int[] widths = widths(lines);
    lines.forEach(line -> text.append(padded(line, widths)).append(System.lineSeparator()));
    result.notes().forEach(note -> text.append("note: %s%n".formatted(note)));
    result.problems().forEach(problem -> text.append("PROBLEM: %s%n".formatted(problem)));
    return text.toString();
  }

  private static int[] widths(List<List<String>> lines) {
    return IntStream.range(0, lines.isEmpty() ? 0 : lines.getFirst().size())
        .map(column -> lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0))
        .toArray();
  }

  private static String padded(List<String> cells, int[] widths) {
    return IntStream.range(0, cells.size())
        .mapToObj(i -> padded(cells.get(i), widths[i], i < TEXT_COLUMNS))
        .collect(Collectors.joining("  "))
        .stripTrailing();
  }

  private static String padded(String cell, int width, boolean left) {
    String space = " ".repeat(width - cell.length());
    return left ? cell + space : space + cell;
  }
}
