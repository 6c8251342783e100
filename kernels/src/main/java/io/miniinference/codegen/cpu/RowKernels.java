package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.RowOperand;
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
  private static final String HEAD =
      """
      A work item owns a row: it goes over it a few times, once to find what the whole row decides (maximum, sum,
      mean) and once to store. A row is small enough to stay in the cache between the walks. Any layout.
      """;

  private final StepText s;
  private final KernelText text;
  private final Rows rows;
  private final ElementType element;
  private final String type;
  private final List<Coordinate> at;
  private final RowOperand operand;

  private RowKernels(LoweredStep step, List<Integer> axes, int failures) {
    TensorType x = step.node().inputs().getFirst().type();
    s = new StepText(step, 1);
    s.text().head(HEAD);
    text = s.text();
    rows = new Rows(x.shape(), axes);
    element = x.element();
    type = CType.of(element).computed();
    at = rows.coordinates();
    operand = new RowOperand(s, rows, failures);
    rows.openItem(text);
    operand.open();
  }

  /// @param failures block id of the failure slots
  static KernelText.Written softmax(LoweredStep step, Op.Softmax op, int failures) {
    return new RowKernels(step, List.of(op.axis()), failures).softmax(op.log());
  }

  /// @param failures block id of the failure slots
  static KernelText.Written normalize(LoweredStep step, Op.Normalize op, int failures) {
    return new RowKernels(step, op.axes(), failures).normalize(op);
  }

  /// @param failures block id of the failure slots
  static KernelText.Written scan(LoweredStep step, Op.Scan op, int failures) {
    return new RowKernels(step, List.of(op.axis()), failures)
        .scan(op, step.node().inputs().getFirst().type().dim(op.axis()));
  }

  private KernelText.Written softmax(boolean log) {
    accumulate("highest", "-INFINITY", "fmax(highest, (" + type + ")value)");
    accumulate("sum", "0", "sum + exp(value - highest)");
    text.line("const " + type + " scale = " + (log ? "log(sum)" : "1 / sum") + ";");
    return store(log ? "value - highest - scale" : "exp(value - highest) * scale");
  }

  private KernelText.Written normalize(Op.Normalize op) {
    String length = "(" + type + ")" + rows.length();
    if (op.centered()) {
      accumulate("mean", "0", "mean + value");
      text.line("mean /= " + length + ";");
    }
    String centered = op.centered() ? "(value - mean)" : "value";
    accumulate("squares", "0", "squares + " + centered + " * " + centered);
    String epsilon = ExprText.constant(Expr.Const.of(element, op.epsilon()));
    String variance = "squares / " + length + " + " + epsilon;
    text.line("const " + type + " scale = 1 / sqrt(" + variance + ");");
    return store(centered + " * scale");
  }

  /* Declares `variable` and makes it `next` for each `value` of the row. */
  private void accumulate(String variable, String start, String next) {
    text.line(type + " " + variable + " = " + start + ";");
    operand.walk(() -> text.line(variable + " = " + next + ";"));
    operand.decide();
  }

  private KernelText.Written store(String result) {
    operand.walk(() -> {
      text.line("const " + type + " result = " + result + ";");
      s.store(s.epilogue("result", element, at), at);
    });
    return new KernelText.Written(text, rows.work());
  }

  private KernelText.Written scan(Op.Scan op, Affine extent) {
    boolean sum = op.kind() == Op.ScanKind.SUM;
    text.line(type + " acc = " + (sum ? "0" : "1") + ";");
    text.open("for (long step = 0; step < " + IndexText.affine(extent) + "; step++)");
    String index = op.reverse() ? IndexText.affine(extent) + " - 1 - step" : "step";
    text.line("const long i" + op.axis() + " = " + index + ";");
    String next = "acc = (" + type + ")(acc " + (sum ? "+ " : "* ") + s.read(0, at) + ");";
    text.line(op.exclusive() ? "const " + type + " result = acc;" : next);
    text.line(op.exclusive() ? next : "const " + type + " result = acc;");
    s.store(s.epilogue("result", element, at), at);
    text.close();
    return new KernelText.Written(text, rows.work());
  }
}
