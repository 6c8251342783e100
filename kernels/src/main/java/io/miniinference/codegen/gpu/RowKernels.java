package io.miniinference.codegen.gpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OperandText;
import io.miniinference.codegen.RowOperand;
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
  private static final String SUM = "mine + theirs";

  private final StepText s;
  private final Rows rows;
  private final ElementType element;
  private final String type;
  private final List<Coordinate> at;
  private final RowOperand operand;

  private RowKernels(LoweredStep step, Rows rows, int failures) {
    this.s = new StepText(step, rows.groupSize());
    s.text().head(rows.about());
    this.rows = rows;
    this.element = step.node().inputs().getFirst().type().element();
    this.type = CType.of(element).computed();
    this.at = rows.coordinates();
    this.operand = new RowOperand(s, rows, failures);
    rows.openItem(s.text());
    operand.open();
  }

  private static RowKernels over(LoweredStep step, List<Integer> axes, int failures) {
    return new RowKernels(step, Rows.of(OperandText.index(step, 0), axes, "i"), failures);
  }

  /// @param failures block id of the failure slots
  static KernelText.Written softmax(LoweredStep step, Op.Softmax op, int failures) {
    return over(step, List.of(op.axis()), failures).softmax(op.log());
  }

  /// @param failures block id of the failure slots
  static KernelText.Written normalize(LoweredStep step, Op.Normalize op, int failures) {
    return over(step, op.axes(), failures).normalize(op);
  }

  /// @param failures block id of the failure slots
  static KernelText.Written scan(LoweredStep step, Op.Scan op, int failures) {
    IndexFunction index = step.inputs().getFirst().index();
    return new RowKernels(step, new Rows(index, List.of(op.axis()), "i", 1), failures)
        .scan(op, index.axes().get(op.axis()).extent());
  }

  private KernelText.Written softmax(boolean log) {
    accumulate("highest", "-INFINITY", "fmax(highest, (" + type + ")value)", "fmax(mine, theirs)");
    accumulate("sum", "0", "sum + exp(value - highest)", SUM);
    s.text().line("const " + type + " scale = " + (log ? "log(sum)" : "1 / sum") + ";");
    return store(log ? "value - highest - scale" : weight("value - highest") + " * scale");
  }

  /* Next to a larger one, a weight below an ulp of it does not show in the sum, and yet it does in
  what it weighs where all others weigh zeros. GPUs' `exp` is off by two ulps there. */
  private String weight(String exponent) {
    return (type.equals("float") ? "exp_of_weight(" : "exp(") + exponent + ")";
  }

  private KernelText.Written normalize(Op.Normalize op) {
    String mean = "";
    if (op.centered()) {
      accumulate("mean", "0", "mean + value", SUM);
      s.text().line("mean /= (" + type + ")" + rows.length() + ";");
      mean = " - mean";
    }
    String centered = "(value" + mean + ")";
    accumulate("squares", "0", "squares + " + centered + " * " + centered, SUM);
    String epsilon =
        ExprText.constant(
            Expr.Const.of(element == ElementType.F64 ? element : ElementType.F32, op.epsilon()));
    String variance = "squares / (" + type + ")" + rows.length();
    s.text().line("const " + type + " scale = 1 / sqrt(" + variance + " + " + epsilon + ");");
    return store(centered + " * scale");
  }

  /* Declares `variable`, makes it `next` for each `value` of the work item's part of the row, and
  then what `combined` makes of all work items' `mine` and `theirs`. */
  private void accumulate(String variable, String start, String next, String combined) {
    s.text().line(type + " " + variable + " = " + start + ";");
    operand.walk(() -> s.text().line(variable + " = " + next + ";"));
    rows.combine(s.text(), type, variable, "mine = " + combined + ";");
    operand.decide();
  }

  private KernelText.Written store(String result) {
    operand.walk(() -> {
      s.text().line("const " + type + " result = " + result + ";");
      s.store(s.epilogue("result", element, at), at);
    });
    return new KernelText.Written(s.text(), rows.work());
  }

  private KernelText.Written scan(Op.Scan op, Affine extent) {
    boolean sum = op.kind() == Op.ScanKind.SUM;
    KernelText text = s.text();
    text.line(type + " acc = " + (sum ? "0" : "1") + ";");
    text.open("for (long e = 0; e < " + IndexText.affine(extent) + "; e++)");
    String index = op.reverse() ? IndexText.affine(extent) + " - 1 - e" : "e";
    text.line("const long i" + op.axis() + " = " + index + ";");
    String next = "acc = (" + type + ")(acc " + (sum ? "+ " : "* ") + s.read(0, at) + ");";
    text.line(op.exclusive() ? "const " + type + " result = acc;" : next);
    text.line(op.exclusive() ? next : "const " + type + " result = acc;");
    s.store(s.epilogue("result", element, at), at);
    text.close();
    return new KernelText.Written(text, rows.work());
  }
}
