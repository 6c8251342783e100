package io.miniinference.codegen.gpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OperandText;
import io.miniinference.codegen.RowOperand;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
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
  private final String open;

  private RowKernels(LoweredStep step, Rows rows, int failures) {
    this.s = new StepText(step, rows.groupSize());
    s.text().head(rows.about());
    this.rows = rows;
    this.element = step.node().inputs().getFirst().type().element();
    this.type = CType.of(element).computed();
    this.at = rows.coordinates();
    this.operand = new RowOperand(s, rows, failures);
    this.open = operand.open();
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

  private static final Template SOFTMAX =
      Template.of(
          "softmax",
          """
          $highest
          $sum
          const $type scale = $scale;
          $store
          """);

  private KernelText.Written softmax(boolean log) {
    String highest =
        accumulate(
            "highest", "-INFINITY", "fmax(highest, (" + type + ")value)", "fmax(mine, theirs)");
    return written(
        SOFTMAX
            .with("highest", highest)
            .with("sum", accumulate("sum", "0", "sum + exp(value - highest)", SUM))
            .with("type", type)
            .with("scale", log ? "log(sum)" : "1 / sum")
            .with(
                "store",
                store(log ? "value - highest - scale" : weight("value - highest") + " * scale")));
  }

  /* Next to a larger one, a weight below an ulp of it does not show in the sum, and yet it does in
  what it weighs where all others weigh zeros. GPUs' `exp` is off by two ulps there. */
  private String weight(String exponent) {
    return (type.equals("float") ? "exp_of_weight(" : "exp(") + exponent + ")";
  }

  private static final Template NORMALIZE =
      Template.of(
          "normalisation",
          """
          $mean
          $squares
          const $type scale = 1 / sqrt(squares / ($type)$length + $epsilon);
          $store
          """);

  private KernelText.Written normalize(Op.Normalize op) {
    String centered = op.centered() ? "(value - mean)" : "(value)";
    ElementType computed = element == ElementType.F64 ? element : ElementType.F32;
    return written(
        NORMALIZE
            .with("mean", op.centered() ? mean() : "")
            .with(
                "squares",
                accumulate("squares", "0", "squares + " + centered + " * " + centered, SUM))
            .with("type", type)
            .with("length", rows.length())
            .with("epsilon", ExprText.constant(Expr.Const.of(computed, op.epsilon())))
            .with("store", store(centered + " * scale")));
  }

  private static final Template MEAN =
      Template.of(
          "mean of a row",
          """
          $sum
          mean /= ($type)$length;
          """);

  private Template.Filling mean() {
    return MEAN.with("sum", accumulate("mean", "0", "mean + value", SUM))
        .with("type", type)
        .with("length", rows.length());
  }

  private static final Template ACCUMULATE =
      Template.of(
          "accumulation over a row",
          """
          $type $variable = $start;
          $walk
          $combine
          $decide
          """);

  /* Declares `variable`, makes it `next` for each `value` of the work item's part of the row, and
  then what `combined` makes of all work items' `mine` and `theirs`. */
  private String accumulate(String variable, String start, String next, String combined) {
    return ACCUMULATE
        .with("type", type)
        .with("variable", variable)
        .with("start", start)
        .with("walk", operand.walk(variable + " = " + next + ";"))
        .with("combine", rows.combine(type, variable, "mine = " + combined + ";"))
        .with("decide", operand.decide())
        .text();
  }

  private static final Template STORE =
      Template.of(
          "result of a row",
          """
          const $type result = $result;
          $store
          """);

  private String store(String result) {
    return operand.walk(
        STORE.with("type", type).with("result", result).with("store", stored()).text());
  }

  private String stored() {
    return s.stored(s.epilogue("result", element, at), at);
  }

  private static final Template SCAN =
      Template.of(
          "running sum",
          """
          $type acc = $start;
          for (long e = 0; e < $extent; e++) {
            const long i$axis = $place;
            $before
            acc = ($type)(acc $operator $value);
            $after
            $store
          }
          """);

  private KernelText.Written scan(Op.Scan op, Affine extent) {
    boolean sum = op.kind() == Op.ScanKind.SUM;
    String end = IndexText.affine(extent);
    String result = "const " + type + " result = acc;";
    return written(
        SCAN.with("type", type)
            .with("start", sum ? "0" : "1")
            .with("extent", end)
            .with("axis", op.axis())
            .with("place", op.reverse() ? end + " - 1 - e" : "e")
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
