package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.FailureText;
import io.miniinference.codegen.GatheredLines;
import io.miniinference.codegen.IndexTupleText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import java.util.List;

/// A matrix whose rows are gathered. A work item that finds the index of a row bad reads zeros
/// there, and marks its group ahead of the first panel's barrier; behind that the rows of the tile
/// are shared out among the group, and each bad one is reported by one work item (of the groups
/// that share rows, of the one with the first columns).
///
/// @param decoding coordinates of row `m`
/// @param at coordinates of a row
/// @param rows text of the number of rows
/// @param depth text of the depth, empty where panels end with the matrix
public record GatheredSource(
    String pointer,
    GatheredLines lines,
    Decoding decoding,
    List<Coordinate> at,
    ProductTile tile,
    String rows,
    String depth)
    implements Panel.Source {

  private IndexTupleText tuple() {
    return lines.tuple();
  }

  /// Statements ahead of all panels.
  public String open() {
    return tuple().mayFail() ? FailureText.openGroup() : "";
  }

  private static final Template ROW =
      Template.of(
          "gathered row",
          """
          const long m = m0 + line;
          if (m < $rows) {
            $coordinates
            $body
          }
          """);

  private static final Template SET =
      Template.of(
          "gathered row, start",
          """
          ${name}_line[i] = -1;
          $row
          """);

  private String row(String body) {
    return ROW.with("rows", rows)
        .with("coordinates", decoding.declarations("m"))
        .with("body", body)
        .text();
  }

  @Override
  public String declarations(String name, int loads) {
    String lines = "long " + name + "_line[" + loads + "];";
    return tuple().mayFail() ? lines + "\nint failed = 0;" : lines;
  }

  @Override
  public String set(String name) {
    String note = tuple().mayFail() ? "failed |= " + tuple().isBad() + ";" : "";
    String start = (tuple().mayNameNone() ? "if (ok) " : "") + name + "_line[i] = ";
    String body =
        Statements.of(tuple().look(GatheredLines.first(at)), note, start + lines.start(at) + ";");
    return SET.with("name", name).with("row", row(body)).text();
  }

  @Override
  public String conclude() {
    return tuple().mayFail() ? FailureText.markGroup() : "";
  }

  private static final Template REPORT =
      Template.of(
          "gathered rows, report",
          """
          if (group_failed && j0 == 0) {
            for (int line = t; line < $rows; line += $items) {
              $row
            }
          }
          """);

  @Override
  public String decide() {
    if (!tuple().mayFail()) {
      return "";
    }
    return REPORT
        .with("rows", tile.rows())
        .with("items", tile.items())
        .with("row", row(tuple().check(GatheredLines.first(at))))
        .text();
  }

  @Override
  public Panel.Load load(String name) {
    String inside = depth.isEmpty() ? "" : " && k < " + depth;
    String step = lines.stride() == 1 ? "k" : "(long)k * " + lines.stride();
    return new Panel.Load(name + "_line[i] >= 0" + inside, name + "_line[i] + " + step);
  }

  @Override
  public String about() {
    return "rows that indices name, read where they lie";
  }
}
