package io.miniinference.codegen.gpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// Operators that see a whole row at once: softmax, normalisation, running sums.
final class RowKernels {
  private static final String ADD = "mine += theirs;";

  private final StepText s;
  private final Rows rows;
  private final ElementType element;
  private final String type;
  private final List<Coordinate> at;
  private final String value;

  private RowKernels(LoweredStep step, Rows rows) {
    this.s = new StepText(step, rows.groupSize());
    this.rows = rows;
    this.element = step.node().inputs().getFirst().type().element();
    this.type = CType.of(element).computed();
    this.at = rows.coordinates();
    this.value = s.read(0, at);
    rows.openItem(s.text());
  }

  private static RowKernels over(LoweredStep step, List<Integer> axes) {
    return new RowKernels(step, Rows.of(step.inputs().getFirst().index(), axes, "i"));
  }

  static KernelText.Written softmax(LoweredStep step, Op.Softmax op) {
    return over(step, List.of(op.axis())).softmax(op.log());
  }

  static KernelText.Written normalize(LoweredStep step, Op.Normalize op) {
    return over(step, op.axes()).normalize(op);
  }

  static KernelText.Written scan(LoweredStep step, Op.Scan op) {
    IndexFunction index = step.inputs().getFirst().index();
    return new RowKernels(step, new Rows(index, List.of(op.axis()), "i", 1))
        .scan(op, index.axes().get(op.axis()).extent());
  }

  private KernelText.Written softmax(boolean log) {
    accumulate("highest", "-INFINITY", "fmax(highest, (" + type + ")" + value + ")");
    rows.combine(s.text(), type, "highest", "mine = fmax(mine, theirs);");
    accumulate("sum", "0", "sum + exp(" + value + " - highest)");
    rows.combine(s.text(), type, "sum", ADD);
    s.text().line("const " + type + " scale = " + (log ? "log(sum)" : "1 / sum") + ";");
    String shifted = value + " - highest";
    return store(log ? shifted + " - scale" : "exp(" + shifted + ") * scale");
  }

  private KernelText.Written normalize(Op.Normalize op) {
    String mean = "";
    if (op.centered()) {
      accumulate("mean", "0", "mean + " + value);
      rows.combine(s.text(), type, "mean", ADD);
      s.text().line("mean /= (" + type + ")" + rows.length() + ";");
      mean = " - mean";
    }
    String centered = "(" + value + mean + ")";
    accumulate("squares", "0", "squares + " + centered + " * " + centered);
    rows.combine(s.text(), type, "squares", ADD);
    String epsilon =
        ExprText.constant(
            Expr.Const.of(element == ElementType.F64 ? element : ElementType.F32, op.epsilon()));
    String variance = "squares / (" + type + ")" + rows.length();
    s.text().line("const " + type + " scale = 1 / sqrt(" + variance + " + " + epsilon + ");");
    return store(centered + " * scale");
  }

  /* Declares `variable` and makes it `next` for each element of the work item's part of the row. */
  private void accumulate(String variable, String start, String next) {
    s.text().line(type + " " + variable + " = " + start + ";");
    rows.openRow(s.text());
    s.text().line(variable + " = " + next + ";");
    s.text().close();
  }

  private KernelText.Written store(String result) {
    rows.openRow(s.text());
    s.text().line("const " + type + " result = " + result + ";");
    s.store(s.epilogue("result", element, at), at);
    s.text().close();
    return new KernelText.Written(s.text(), rows.work());
  }

  private KernelText.Written scan(Op.Scan op, Affine extent) {
    boolean sum = op.kind() == Op.ScanKind.SUM;
    KernelText text = s.text();
    text.line(type + " acc = " + (sum ? "0" : "1") + ";");
    text.open("for (long e = 0; e < " + IndexText.affine(extent) + "; e++)");
    String index = op.reverse() ? IndexText.affine(extent) + " - 1 - e" : "e";
    text.line("const long i" + op.axis() + " = " + index + ";");
    String next = "acc = (" + type + ")(acc " + (sum ? "+ " : "* ") + value + ");";
    text.line(op.exclusive() ? "const " + type + " result = acc;" : next);
    text.line(op.exclusive() ? next : "const " + type + " result = acc;");
    s.store(s.epilogue("result", element, at), at);
    text.close();
    return new KernelText.Written(text, rows.work());
  }
}
