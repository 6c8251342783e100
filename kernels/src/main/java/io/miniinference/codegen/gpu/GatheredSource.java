package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.FailureText;
import io.miniinference.codegen.GatheredLines;
import io.miniinference.codegen.IndexTupleText;
import io.miniinference.codegen.KernelText;
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
record GatheredSource(
    String pointer,
    GatheredLines lines,
    Decoding decoding,
    List<Coordinate> at,
    Tile tile,
    String rows,
    String depth)
    implements Panel.Source {

  private IndexTupleText tuple() {
    return lines.tuple();
  }

  /// Statements ahead of all panels.
  void open(KernelText text) {
    if (tuple().mayFail()) {
      text.line(FailureText.openGroup());
    }
  }

  private void openRow(KernelText text) {
    text.line("const long m = m0 + line;");
    text.open("if (m < " + rows + ")");
    decoding.write(text, "m");
  }

  @Override
  public void declare(KernelText text, String name, int loads, Runnable open) {
    text.line("long " + name + "_line[" + loads + "];");
    if (tuple().mayFail()) {
      text.line("int failed = 0;");
    }
    open.run();
    text.line(name + "_line[i] = -1;");
    openRow(text);
    tuple().look(GatheredLines.first(at));
    if (tuple().mayFail()) {
      text.line("failed |= " + tuple().isBad() + ";");
    }
    String condition = tuple().mayNameNone() ? "if (ok) " : "";
    text.line(condition + name + "_line[i] = " + lines.start(at) + ";");
    text.close();
    text.close();
    if (tuple().mayFail()) {
      text.line(FailureText.markGroup());
    }
  }

  @Override
  public void decide(KernelText text) {
    if (tuple().mayFail()) {
      text.open("if (group_failed && j0 == 0)");
      text.open("for (int line = t; line < " + tile.rows() + "; line += " + tile.items() + ")");
      openRow(text);
      tuple().check(GatheredLines.first(at));
      text.close();
      text.close();
      text.close();
    }
  }

  @Override
  public Panel.Load load(KernelText text, String name) {
    String inside = depth.isEmpty() ? "" : " && k < " + depth;
    String step = lines.stride() == 1 ? "k" : "(long)k * " + lines.stride();
    return new Panel.Load(name + "_line[i] >= 0" + inside, name + "_line[i] + " + step);
  }
}
