package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.RowOperand;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
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

  private static final Template ACCUMULATE =
      Template.of(
          "accumulation over a row",
          """
          $type $variable = $start;
          $walk
          $decide
          """);

  private static final Template SOFTMAX =
      Template.of(
          "softmax",
          """
          $highest
          $sum
          const $type scale = $scale;
          $store
          """);

  private static final Template NORMALIZE =
      Template.of(
          "normalisation",
          """
          $mean
          $squares
          const $type scale = 1 / sqrt(squares / ($type)$length + $epsilon);
          $store
          """);

  private static final Template MEAN =
      Template.of(
          "mean of a row",
          """
          $sum
          mean /= ($type)$length;
          """);

  private static final Template STORE =
      Template.of(
          "result of a row",
          """
          const $type result = $result;
          $store
          """);

  private static final Template SCAN =
      Template.of(
          "running sum",
          """
          $type acc = $start;
          for (long step = 0; step < $extent; step++) {
            const long i$axis = $place;
            $before
            acc = ($type)(acc $operator $value);
            $after
            $store
          }
          """);

  private final StepText s;
  private final Rows rows;
  private final ElementType element;
  private final String type;
  private final List<Coordinate> at;
  private final RowOperand operand;
  private final String open;

  private RowKernels(LoweredStep step, List<Integer> axes, int failures) {
    TensorType x = step.node().inputs().getFirst().type();
    s = new StepText(step, 1);
    s.text().head(HEAD);
    rows = new Rows(x.shape(), axes);
    element = x.element();
    type = CType.of(element).computed();
    at = rows.coordinates();
    operand = new RowOperand(s, rows, failures);
    open = operand.open();
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
    return written(
        SOFTMAX
            .with(
                "highest", accumulate("highest", "-INFINITY", "fmax(highest, (" + type + ")value)"))
            .with("sum", accumulate("sum", "0", "sum + exp(value - highest)"))
            .with("type", type)
            .with("scale", log ? "log(sum)" : "1 / sum")
            .with(
                "store", store(log ? "value - highest - scale" : "exp(value - highest) * scale")));
  }

  private KernelText.Written normalize(Op.Normalize op) {
    String centered = op.centered() ? "(value - mean)" : "value";
    return written(
        NORMALIZE
            .with("mean", op.centered() ? mean() : "")
            .with("squares", accumulate("squares", "0", "squares + " + centered + " * " + centered))
            .with("type", type)
            .with("length", rows.length())
            .with("epsilon", ExprText.constant(Expr.Const.of(element, op.epsilon())))
            .with("store", store(centered + " * scale")));
  }

  private Template.Filling mean() {
    return MEAN.with("sum", accumulate("mean", "0", "mean + value"))
        .with("type", type)
        .with("length", rows.length());
  }

  /* Declares `variable` and makes it `next` for each `value` of the row. */
  private String accumulate(String variable, String start, String next) {
    return ACCUMULATE
        .with("type", type)
        .with("variable", variable)
        .with("start", start)
        .with("walk", operand.walk(variable + " = " + next + ";"))
        .with("decide", operand.decide())
        .text();
  }

  private String store(String result) {
    return operand.walk(
        STORE.with("type", type).with("result", result).with("store", stored()).text());
  }

  private String stored() {
    return s.stored(s.epilogue("result", element, at), at);
  }

  private KernelText.Written scan(Op.Scan op, Affine extent) {
    boolean sum = op.kind() == Op.ScanKind.SUM;
    String end = IndexText.affine(extent);
    String result = "const " + type + " result = acc;";
    return written(
        SCAN.with("type", type)
            .with("start", sum ? "0" : "1")
            .with("extent", end)
            .with("axis", op.axis())
            .with("place", op.reverse() ? end + " - 1 - step" : "step")
            .with("before", op.exclusive() ? result : "")
            .with("operator", sum ? "+" : "*")
            .with("value", s.read(0, at))
            .with("after", op.exclusive() ? "" : result)
            .with("store", stored()));
  }

  private KernelText.Written written(Template.Filling walks) {
    s.text().line(Statements.of(rows.item(), open, walks));
    return new KernelText.Written(s.text(), rows.work());
  }
}
