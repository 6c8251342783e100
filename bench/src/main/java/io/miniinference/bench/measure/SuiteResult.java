package io.miniinference.bench.measure;

import module java.base;

/// What a suite found.
///
/// @param suite its name
/// @param title one line on what was measured, for people
/// @param across the parameter whose values are a table's columns; empty for one column
/// @param notes what a reader must know, such as a peer that was missing
/// @param problems what was wrong and is therefore not among the figures, such as outputs that
///   differ from a peer's; any of them makes the run a failure
public record SuiteResult(
    String suite,
    String title,
    MeasuredDevice device,
    String across,
    List<Measurement> measurements,
    List<Comparison> comparisons,
    List<String> notes,
    List<String> problems) {

  /// As text for a terminal, after an empty line.
  public String text() {
    return "\n%s: %s\n%s\n".formatted(suite, title, device.text())
        + grid().text()
        + lines("note: %s\n", notes)
        + lines("PROBLEM: %s\n", problems);
  }

  /// As Markdown.
  ///
  /// @param origin what lies between the device and the figures
  String markdown(String origin) {
    return "\n**%s**: %s  \n%s; %s\n\n".formatted(suite, title, device.text(), origin)
        + grid().markdown()
        + lines("\n%s\n", notes)
        + lines("\n%s\n", problems);
  }

  private Grid grid() {
    var grid = new Grid(across);
    for (Measurement each : measurements) {
      String row = each.subject() + ", " + each.unit().symbol();
      grid.add(each.name(), each.parameters(), row, each.spread().text());
    }
    for (Comparison each : comparisons) {
      String row = each.subject() + " ÷ " + each.peer();
      grid.add(each.name(), each.parameters(), row, each.ratio().text());
    }
    return grid;
  }

  private static String lines(String format, List<String> remarks) {
    return remarks.stream().map(format::formatted).collect(Collectors.joining());
  }
}
