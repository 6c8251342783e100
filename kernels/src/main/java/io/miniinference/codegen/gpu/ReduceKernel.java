package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OperandText;
import io.miniinference.codegen.RowOperand;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.ExprType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
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

  private KernelText.Written write() {
    KernelText text = s.text();
    rows.openItem(text);
    source.open();
    text.line(accumulator.type() + " acc = " + accumulator.start() + ";");
    if (op.kind().isArg()) {
      arg();
    } else {
      source.walk(() -> text.line(accumulator.combine("acc", element())));
      rows.combine(text, accumulator.type(), "acc", accumulator.combine("mine", "theirs"));
      source.decide();
      openStore();
      String c = CType.of(mapped).computed();
      text.line("const " + c + " result = (" + c + ")acc;");
      s.store(s.epilogue("result", mapped, output()), output());
    }
    if (rows.isGrouped()) {
      text.close();
    }
    return new KernelText.Written(text, rows.work());
  }

  private void openStore() {
    if (rows.isGrouped()) {
      s.text().open("if (t == 0)");
    }
  }

  /* The first (or last) index of the extreme, and the first NaN if there is one. */
  private void arg() {
    KernelText text = s.text();
    text.line("long best = -1;");
    source.walk(() -> {
      text.line("const " + accumulator.type() + " v = " + element() + ";");
      text.line("if (best < 0 || " + better("v", "acc", orLater()) + ") { acc = v; best = e; }");
    });
    if (rows.isGrouped()) {
      combineArgs();
    }
    source.decide();
    openStore();
    s.store(s.epilogue("best", ElementType.I64, output()), output());
  }

  /* Work items look at every so many elements: the extreme of all is found first, then the index
  among those who have it. */
  private void combineArgs() {
    KernelText text = s.text();
    String type = accumulator.type();
    text.line("const " + type + " own = acc;");
    rows.combine(text, type, "acc", "if (" + better("theirs", "mine", false) + ") mine = theirs;");
    String same = mapped.isFloat() ? "own == acc || (own != own && acc != acc)" : "own == acc";
    text.line("if (!(" + same + ")) best = -1;");
    rows.combine(
        text, "long", "best", "if (theirs >= 0 && (mine < 0 || " + later() + ")) mine = theirs;");
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

  private String better(String v, String than, boolean orEqual) {
    boolean max = op.kind() == Op.ReduceKind.ARG_MAX || op.kind() == Op.ReduceKind.ARG_MAX_LAST;
    String operator = (max ? " >" : " <") + (orEqual ? "= " : " ");
    String notANumber = mapped.isFloat() ? " || (V != V && A == A)" : "";
    return v + operator + than + notANumber.replace("V", v).replace("A", than);
  }

  private String element() {
    return new ExprText(new Single("value"), List.of(operand.element())).of(op.map());
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

  /// One operand whose text is known.
  private record Single(String read) implements ExprText.Leaves {
    @Override
    public String arg(int index) {
      return read;
    }

    @Override
    public String at(int index, List<String> coordinates) {
      throw new IllegalStateException("a reduction's map reads its operand only where it is");
    }

    @Override
    public String index(int axis) {
      throw new IllegalStateException("a reduction's map knows no index");
    }
  }
}
