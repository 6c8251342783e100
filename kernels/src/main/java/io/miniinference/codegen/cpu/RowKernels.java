package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// Operators that see a whole row at once: softmax, normalisation, running sums.
final class RowKernels {
  private RowKernels() {}

  static KernelText.Written softmax(LoweredStep step, Op.Softmax op) {
    StepText s = new StepText(step, 1);
    TensorType type = step.node().inputs().getFirst().type();
    Rows rows = new Rows(type.shape(), List.of(op.axis()));
    List<Coordinate> at = rows.coordinates();
    String c = CType.of(type.element()).computed();
    rows.openItem(s.text());
    s.text().line(c + " highest = -INFINITY;");
    rows.openRow(s.text());
    s.text().line("highest = fmax(highest, (" + c + ")" + s.read(0, at) + ");");
    rows.closeRow(s.text());
    s.text().line(c + " sum = 0;");
    rows.openRow(s.text());
    s.text().line("sum += exp(" + s.read(0, at) + " - highest);");
    rows.closeRow(s.text());
    s.text().line("const " + c + " scale = " + (op.log() ? "log(sum)" : "1 / sum") + ";");
    rows.openRow(s.text());
    String shifted = s.read(0, at) + " - highest";
    s.text()
        .line(
            "const "
                + c
                + " result = "
                + (op.log() ? shifted + " - scale" : "exp(" + shifted + ") * scale")
                + ";");
    s.store(s.epilogue("result", type.element(), at), at);
    rows.closeRow(s.text());
    return new KernelText.Written(s.text(), rows.work());
  }

  static KernelText.Written normalize(LoweredStep step, Op.Normalize op) {
    StepText s = new StepText(step, 1);
    TensorType type = step.node().inputs().getFirst().type();
    Rows rows = new Rows(type.shape(), op.axes());
    List<Coordinate> at = rows.coordinates();
    String c = CType.of(type.element()).computed();
    rows.openItem(s.text());
    s.text().line(c + " mean = 0;");
    if (op.centered()) {
      rows.openRow(s.text());
      s.text().line("mean += " + s.read(0, at) + ";");
      rows.closeRow(s.text());
      s.text().line("mean /= (" + c + ")" + rows.length() + ";");
    }
    s.text().line(c + " variance = 0;");
    rows.openRow(s.text());
    s.text().line("const " + c + " d = " + s.read(0, at) + " - mean;");
    s.text().line("variance += d * d;");
    rows.closeRow(s.text());
    s.text()
        .line(
            "const "
                + c
                + " scale = 1 / sqrt(variance / ("
                + c
                + ")"
                + rows.length()
                + " + "
                + ExprText.constant(Expr.Const.of(type.element(), op.epsilon()))
                + ");");
    rows.openRow(s.text());
    s.text().line("const " + c + " result = (" + s.read(0, at) + " - mean) * scale;");
    s.store(s.epilogue("result", type.element(), at), at);
    rows.closeRow(s.text());
    return new KernelText.Written(s.text(), rows.work());
  }

  static KernelText.Written scan(LoweredStep step, Op.Scan op) {
    StepText s = new StepText(step, 1);
    TensorType type = step.node().inputs().getFirst().type();
    Rows rows = new Rows(type.shape(), List.of(op.axis()));
    String c = CType.of(type.element()).computed();
    boolean sum = op.kind() == Op.ScanKind.SUM;
    rows.openItem(s.text());
    s.text().line(c + " acc = " + (sum ? "0" : "1") + ";");
    Affine extent = type.dim(op.axis());
    s.text().open("for (long step = 0; step < " + IndexText.affine(extent) + "; step++)");
    String index = op.reverse() ? IndexText.affine(extent) + " - 1 - step" : "step";
    s.text().line("const long i" + op.axis() + " = " + index + ";");
    String next =
        "acc = (" + c + ")(acc " + (sum ? "+ " : "* ") + s.read(0, rows.coordinates()) + ");";
    s.text().line(op.exclusive() ? "const " + c + " result = acc;" : next);
    s.text().line(op.exclusive() ? next : "const " + c + " result = acc;");
    ElementType element = type.element();
    s.store(s.epilogue("result", element, rows.coordinates()), rows.coordinates());
    s.text().close();
    return new KernelText.Written(s.text(), rows.work());
  }
}
