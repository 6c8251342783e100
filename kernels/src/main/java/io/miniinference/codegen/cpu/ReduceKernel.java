package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.ExprType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;

/// Reductions: per output element a loop over the reduced axes.
final class ReduceKernel {
  private final StepText s;
  private final Op.Reduce op;
  private final TensorType operand;
  private final Loops loops;
  private final ElementType mapped;

  private ReduceKernel(LoweredStep step, Op.Reduce op) {
    this.s = new StepText(step, 1);
    this.op = op;
    this.operand = step.node().inputs().getFirst().type();
    this.loops = Loops.over(step.output().index());
    this.mapped = ExprType.of(op.map(), List.of(operand.element()));
  }

  static KernelText.Written write(LoweredStep step, Op.Reduce op) {
    return new ReduceKernel(step, op).write();
  }

  private KernelText.Written write() {
    loops.openItem(s.text());
    loops.openInner(s.text());
    Accumulator accumulator = Accumulator.of(op.kind(), mapped);
    s.text().line(accumulator.type() + " acc = " + accumulator.start() + ";");
    if (op.kind().isArg()) {
      arg(accumulator);
    } else {
      openReduced();
      s.text().line(accumulator.combine("acc", element()));
      closeReduced();
      String c = CType.of(mapped).computed();
      s.text().line("const " + c + " result = (" + c + ")acc;");
      s.store(s.epilogue("result", mapped, loops.coordinates()), loops.coordinates());
    }
    loops.closeInner(s.text());
    return new KernelText.Written(s.text(), loops.work(weight()));
  }

  private long weight() {
    long elements = 1;
    for (int axis : op.axes()) {
      elements *= operand.dim(axis).isConstant() ? operand.dim(axis).constant() : 64;
    }
    return Math.max(1, elements);
  }

  /* The first (or last) index of the extreme; NaN is an extreme of its own. */
  private void arg(Accumulator accumulator) {
    boolean max = op.kind() == Op.ReduceKind.ARG_MAX || op.kind() == Op.ReduceKind.ARG_MAX_LAST;
    boolean last =
        op.kind() == Op.ReduceKind.ARG_MAX_LAST || op.kind() == Op.ReduceKind.ARG_MIN_LAST;
    String better = max ? ">" : "<";
    s.text().line("long best = 0;");
    openReduced();
    s.text().line("const " + accumulator.type() + " v = " + element() + ";");
    String index = "r" + op.axes().getFirst();
    String tie = last ? better + "=" : better;
    s.text()
        .line(
            "if ("
                + index
                + " == 0 || v "
                + tie
                + " acc || (v != v && acc == acc)) { acc = v; best = "
                + index
                + "; }");
    closeReduced();
    s.store(s.epilogue("best", ElementType.I64, loops.coordinates()), loops.coordinates());
  }

  private void openReduced() {
    for (int axis : op.axes()) {
      String v = "r" + axis;
      String extent = IndexText.affine(operand.dim(axis));
      s.text().open("for (long " + v + " = 0; " + v + " < " + extent + "; " + v + "++)");
    }
  }

  private void closeReduced() {
    op.axes().forEach(_ -> s.text().close());
  }

  private String element() {
    String read = s.read(0, operandCoordinates());
    return new ExprText(new Single(read), List.of(operand.element())).of(op.map());
  }

  private List<Coordinate> operandCoordinates() {
    List<Coordinate> result = new ArrayList<>();
    int output = 0;
    for (int axis = 0; axis < operand.rank(); axis++) {
      if (op.axes().contains(axis)) {
        result.add(Coordinate.of("r" + axis));
        output += op.keepDims() ? 1 : 0;
      } else {
        result.add(loops.coordinates().get(output++));
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
