package io.miniinference.bench.report;

import java.util.List;
import java.util.stream.Collectors;

/// A grid as a Markdown table.
final class MarkdownTable {
  private MarkdownTable() {}

  static String of(Grid grid) {
    int columns = grid.header().size();
    return line(grid.header())
        + "|---|---|"
        + "--:|".repeat(columns - 2)
        + "\n"
        + grid.rows().stream().map(MarkdownTable::line).collect(Collectors.joining());
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
