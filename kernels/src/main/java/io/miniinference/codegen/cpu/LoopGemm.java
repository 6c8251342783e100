package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OperandText;
import io.miniinference.codegen.StepText;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;

/// The matrix product for all types, layouts and ranks: a work item is a run of up to 64 columns of
/// one row, accumulated side by side.
final class LoopGemm {
  private static final String HEAD =
      """
      A work item owns up to 64 neighbouring columns of one row of the result, added up side by side in acc, so that
      each element of the left operand is read once for all of them. All types, ranks and layouts.
      """;

  private static final int COLUMNS = 64;
  private final StepText s;
  private final Op.MatMul op;
  private final TensorType a;
  private final TensorType b;
  private final List<Affine> batch;
  private final Affine rows;
  private final Affine columns;
  private final OperandText source;

  private LoopGemm(LoweredStep step, Op.MatMul op, int failures) {
    this.s = new StepText(step, 1);
    s.text().head(HEAD);
    this.source = new OperandText(s, 0, failures);
    this.op = op;
    this.a = step.node().inputs().get(0).type();
    this.b = step.node().inputs().get(1).type();
    List<Affine> out = step.node().output().type().shape();
    this.rows = a.dim(op.transposeA() ? a.rank() - 1 : a.rank() - 2);
    this.columns = b.dim(op.transposeB() ? b.rank() - 2 : b.rank() - 1);
    this.batch = out.subList(0, out.size() - 2);
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.MatMul op, int failures) {
    return new LoopGemm(step, op, failures).write();
  }

  private KernelText.Written write() {
    ElementType element = a.element();
    String acc = element.isInteger() ? "long" : CType.of(element).computed();
    String chunks =
        "((" + IndexText.affine(columns) + " + " + (COLUMNS - 1) + ") / " + COLUMNS + ")";
    decode(chunks);
    s.text()
        .line("const long width = min(" + COLUMNS + "L, " + IndexText.affine(columns) + " - c0);");
    s.text().line(acc + " acc[" + COLUMNS + "];");
    s.text().line("for (int j = 0; j < " + COLUMNS + "; j++) acc[j] = 0;");
    Affine depth = a.dim(op.transposeA() ? a.rank() - 2 : a.rank() - 1);
    source.check(left());
    s.text().open("for (long k = 0; k < " + IndexText.affine(depth) + "; k++)");
    source.declare("value", left());
    s.text().line("const " + acc + " left = (" + acc + ")value;");
    s.text()
        .line(
            "for (int j = 0; j < width; j++) acc[j] "
                + "+= left * ("
                + acc
                + ")"
                + s.read(1, right())
                + ";");
    s.text().close();
    s.text().open("for (int j = 0; j < width; j++)");
    String c = CType.of(element).computed();
    s.text().line("const " + c + " result = (" + c + ")acc[j];");
    s.store(s.epilogue("result", element, output()), output());
    s.text().close();
    return new KernelText.Written(s.text(), work());
  }

  private Launch.Items work() {
    Affine items = rows;
    for (Affine dim : batch) {
      items = items.times(dim);
    }
    if (columns.isConstant()) {
      return new Launch.Items(items, 1, Math.ceilDiv(columns.constant(), COLUMNS), 1);
    }
    return new Launch.Items(items.times(columns), 1);
  }

  /* Where the columns grow with the batch, items are counted one per column, and those beyond the
  chunks have nothing to do. */
  private void decode(String chunks) {
    s.text().line("long item = (long)@globalId + first;");
    s.text()
        .line("const long c0 = item % " + chunks + " * " + COLUMNS + "; item /= " + chunks + ";");
    s.text()
        .line(
            "const long row = item % "
                + IndexText.affine(rows)
                + "; item /= "
                + IndexText.affine(rows)
                + ";");
    for (int i = batch.size() - 1; i >= 0; i--) {
      String extent = IndexText.affine(batch.get(i));
      s.text().line("const long i" + i + " = item % " + extent + "; item /= " + extent + ";");
    }
    s.text().line("if (item > 0) return;");
  }

  private List<Coordinate> left() {
    return operand(a, op.transposeA() ? "k" : "row", op.transposeA() ? "row" : "k");
  }

  private List<Coordinate> right() {
    String column = "(c0 + j)";
    return operand(b, op.transposeB() ? column : "k", op.transposeB() ? "k" : column);
  }

  private List<Coordinate> operand(TensorType type, String first, String second) {
    List<Coordinate> result = new ArrayList<>();
    int skip = batch.size() - (type.rank() - 2);
    for (int i = 0; i < type.rank() - 2; i++) {
      boolean repeated = type.dim(i).equals(Affine.ONE);
      result.add(repeated ? Coordinate.ZERO : Coordinate.of("i" + (skip + i)));
    }
    result.add(Coordinate.of(first));
    result.add(Coordinate.of(second));
    return result;
  }

  private List<Coordinate> output() {
    List<Coordinate> result = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      result.add(Coordinate.of("i" + i));
    }
    result.add(Coordinate.of("row"));
    result.add(Coordinate.of("(c0 + j)"));
    return result;
  }
}
