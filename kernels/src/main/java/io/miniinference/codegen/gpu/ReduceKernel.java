package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OperandText;
import io.miniinference.codegen.RowOperand;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.type.ExprType;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;

/// Reductions: rows of the operand, each to one element of the result.
final class ReduceKernel {
  private final StepText s;
  private final Op.Reduce op;
  private final TensorType operand;
  private final Rows rows;
  private final ElementType mapped;
  private final Accumulator accumulator;
  private final RowOperand source;

  private ReduceKernel(LoweredStep step, Op.Reduce op, int failures) {
    this.op = op;
    this.operand = step.node().inputs().getFirst().type();
    this.rows = Rows.of(OperandText.index(step, 0), op.axes(), "r");
    this.s = new StepText(step, rows.groupSize());
    s.text().head(rows.about());
    this.mapped = ExprType.of(op.map(), List.of(operand.element()));
    this.accumulator = Accumulator.of(op.kind(), mapped);
    this.source = new RowOperand(s, rows, failures);
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Reduce op, int failures) {
    return new ReduceKernel(step, op, failures).write();
  }

  private static final Template KERNEL =
      Template.of(
          "reduction of rows",
          """
          $item
          $open
          $accumulator
          $walk
          $combine
          $decide
          $store
          """);

  private KernelText.Written write() {
    boolean isArg = op.kind().isArg();
    String best = isArg ? "long best = -1;" : "";
    s.text()
        .add(
            KERNEL
                .with("item", rows.item())
                .with("open", source.open())
                .with("accumulator", Statements.of(accumulator.declare("acc"), best))
                .with("walk", source.walk(isArg ? take() : accumulator.combine("acc", element())))
                .with("combine", isArg ? combineArgs() : combine())
                .with("decide", source.decide())
                .with("store", rows.byOne(isArg ? storeIndex() : store())));
    return new KernelText.Written(s.text(), rows.work());
  }

  private String combine() {
    return rows.combine(accumulator.type(), "acc", accumulator.combine("mine", "theirs"));
  }

  private static final Template RESULT =
      Template.of(
          "result of a reduction",
          """
          const $type result = ($type)acc;
          $store
          """);

  private Template.Filling store() {
    return RESULT
        .with("type", CType.of(mapped).computed())
        .with("store", s.stored(s.epilogue("result", mapped, output()), output()));
  }

  private String storeIndex() {
    return s.stored(s.epilogue("best", ElementType.I64, output()), output());
  }

  private static final Template TAKE =
      Template.of(
          "index of the extreme",
          """
          const $type v = $value;
          if (best < 0 || $isBetter) { acc = v; best = e; }
          """);

  /* The first (or last) index of the extreme, and the first NaN if there is one. */
  private String take() {
    return TAKE.with("type", accumulator.type())
        .with("value", element())
        .with("isBetter", better("v", "acc", orLater()))
        .text();
  }

  private static final Template COMBINE_ARGS =
      Template.of(
          "index of the extreme of a work-group",
          """
          const $type own = acc;
          $extremes
          if (!($isSame)) best = -1;
          $indices
          """);

  /* Work items look at every so many elements: the extreme of all is found first, then the index
  among those that have it. */
  private String combineArgs() {
    if (!rows.isGrouped()) {
      return "";
    }
    String type = accumulator.type();
    String better = "if (" + better("theirs", "mine", false) + ") mine = theirs;";
    String later = "if (theirs >= 0 && (mine < 0 || " + later() + ")) mine = theirs;";
    return COMBINE_ARGS
        .with("type", type)
        .with("extremes", rows.combine(type, "acc", better))
        .with(
            "isSame", mapped.isFloat() ? "own == acc || (own != own && acc != acc)" : "own == acc")
        .with("indices", rows.combine("long", "best", later))
        .text();
  }

  private String later() {
    if (!orLater()) {
      return "theirs < mine";
    }
    return mapped.isFloat() ? "(acc == acc ? theirs > mine : theirs < mine)" : "theirs > mine";
  }

  private boolean orLater() {
    return op.kind() == Op.ReduceKind.ARG_MAX_LAST || op.kind() == Op.ReduceKind.ARG_MIN_LAST;
  }

  private static final Template BETTER = Template.of("better of two", "$v $beats $than");

  private static final Template BETTER_OR_NAN =
      Template.of("better of two, or no number", "$v $beats $than || ($v != $v && $than == $than)");

  private String better(String v, String than, boolean orEqual) {
    boolean max = op.kind() == Op.ReduceKind.ARG_MAX || op.kind() == Op.ReduceKind.ARG_MAX_LAST;
    return (mapped.isFloat() ? BETTER_OR_NAN : BETTER)
        .with("v", v)
        .with("beats", (max ? ">" : "<") + (orEqual ? "=" : ""))
        .with("than", than)
        .text();
  }

  private String element() {
    return new ExprText(new ExprText.Operand("value"), List.of(operand.element())).of(op.map());
  }

  private List<Coordinate> output() {
    List<Coordinate> result = new ArrayList<>();
    for (int axis = 0; axis < operand.rank(); axis++) {
      if (!op.axes().contains(axis)) {
        result.add(rows.coordinates().get(axis));
      } else if (op.keepDims()) {
        result.add(Coordinate.ZERO);
      }
    }
    return result;
  }
}
