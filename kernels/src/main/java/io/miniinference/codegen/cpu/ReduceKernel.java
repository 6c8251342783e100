package io.miniinference.codegen.cpu;

import static java.util.Objects.requireNonNull;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.RowOperand;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Reductions: per output element a loop over the reduced axes. Where the operand is gathered, and
/// neighbours in the output come from neighbours in what one index names, some of them are
/// accumulated side by side, so that an index is looked at once for all. Sums of floats are kept in
/// vectors: of an array, compilers keep in memory what they cannot unroll.
final class ReduceKernel implements RowOperand.Walk {
  private static final String HEAD =
      """
      A work item owns some neighbouring elements of the result, and walks over the reduced axes of each; where an
      index names a line of the operand, it keeps that line's elements side by side, and looks at the index once.
      """;

  /// Most elements side by side.
  private static final int LANES = 64;

  /// Elements of one vector of them.
  private static final int VECTOR = 16;

  private final StepText s;
  private final Op.Reduce op;
  private final TensorType operand;
  private final Loops loops;
  private final ElementType mapped;
  private final RowOperand source;
  private final Loops.@Nullable Loop lanes;
  private final boolean isVector;

  private ReduceKernel(LoweredStep step, Op.Reduce op, int failures) {
    this.s = new StepText(step, 1);
    s.text().head(HEAD);
    this.op = op;
    this.operand = step.node().inputs().getFirst().type();
    this.loops = Loops.over(step.output().index());
    this.mapped = ExprType.of(op.map(), List.of(operand.element()));
    this.source = new RowOperand(s, this, failures);
    this.lanes = lanes();
    this.isVector =
        lanes != null
            && op.kind() == Op.ReduceKind.SUM
            && op.map().equals(new Expr.Arg(0))
            && lanes.extent().constant() % VECTOR == 0
            && source.isDense(operandAxis(lanes.axis()));
  }

  /* The innermost loop of the work item, if its elements can be accumulated side by side. */
  private Loops.@Nullable Loop lanes() {
    Loops.Loop last = loops.inner().isEmpty() ? null : loops.inner().getLast();
    return last != null
            && last.part() == Loops.Part.WHOLE
            && !op.kind().isArg()
            && source.sharesTuple(List.of(operandAxis(last.axis())))
        ? last
        : null;
  }

  /* The axis of the operand that an axis of the output is. */
  private int operandAxis(int outputAxis) {
    return op.keepDims()
        ? outputAxis
        : IntStream.range(0, operand.rank())
            .filter(axis -> !op.axes().contains(axis))
            .skip(outputAxis)
            .findFirst()
            .orElseThrow();
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Reduce op, int failures) {
    return new ReduceKernel(step, op, failures).write();
  }

  private KernelText.Written write() {
    loops.openItem(s.text());
    if (lanes != null) {
      sideBySide(lanes);
    } else {
      each();
    }
    return new KernelText.Written(s.text(), loops.work(weight()));
  }

  private void each() {
    loops.openInner(s.text());
    Accumulator accumulator = Accumulator.of(op.kind(), mapped);
    source.open();
    s.text().line(accumulator.type() + " acc = " + accumulator.start() + ";");
    if (op.kind().isArg()) {
      arg(accumulator);
    } else {
      source.walk(() -> s.text().line(accumulator.combine("acc", element())));
      source.decide();
      store("acc");
    }
    loops.closeInner(s.text());
  }

  private void sideBySide(Loops.Loop last) {
    KernelText text = s.text();
    Accumulator accumulator = Accumulator.of(op.kind(), mapped);
    List<Loops.Loop> outer = loops.inner().subList(0, loops.inner().size() - 1);
    outer.forEach(loop -> loops.open(text, loop));
    source.open();
    String step = " lanes += " + (isVector ? vectors() * VECTOR : LANES);
    text.open("for (long lanes = 0; lanes < " + loops.end(last) + ";" + step + ")");
    openAccumulators(accumulator, last);
    source.walk(() -> text.line(accumulator.combine("acc[j]", element())));
    source.decide();
    storeAccumulators(last);
    text.close();
    outer.forEach(_ -> text.close());
  }

  /* How many vectors are side by side: as many as leave none over. */
  private int vectors() {
    long vectors = requireNonNull(lanes).extent().constant() / VECTOR;
    int most = LANES / VECTOR;
    while (vectors % most != 0) {
      most--;
    }
    return most;
  }

  private void openAccumulators(Accumulator accumulator, Loops.Loop last) {
    String start = "acc[j] = " + accumulator.start() + ";";
    if (isVector) {
      s.text().line("float" + VECTOR + " acc[" + vectors() + "];");
      s.text().line("for (int j = 0; j < " + vectors() + "; j++) " + start);
    } else {
      String left = loops.end(last) + " - lanes";
      s.text().line("const int width = (int)min((long)" + LANES + ", " + left + ");");
      s.text().line(accumulator.type() + " acc[" + LANES + "];");
      s.text().line("for (int j = 0; j < width; j++) " + start);
    }
  }

  private void storeAccumulators(Loops.Loop last) {
    if (isVector) {
      int elements = vectors() * VECTOR;
      s.text().line("float sums[" + elements + "];");
      s.text()
          .line(
              "for (int j = 0; j < "
                  + vectors()
                  + "; j++) @store("
                  + VECTOR
                  + ", acc[j], j, sums);");
      openLanes(last, Integer.toString(elements), "j");
      store("sums[j]");
    } else {
      openLanes(last, "width", "j");
      store("acc[j]");
    }
    s.text().close();
  }

  private void openLanes(Loops.Loop last, String count, String lane) {
    s.text().open("for (int j = 0; j < " + count + "; j++)");
    s.text().line("const long " + last.variable() + " = lanes + " + lane + ";");
  }

  private void store(String accumulated) {
    String c = CType.of(mapped).computed();
    s.text().line("const " + c + " result = (" + c + ")" + accumulated + ";");
    s.store(s.epilogue("result", mapped, loops.coordinates()), loops.coordinates());
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
    s.text().line("long best = 0;");
    source.walk(() -> {
      String index = "r" + op.axes().getFirst();
      s.text().line("const " + accumulator.type() + " v = " + element() + ";");
      s.text()
          .line("if (" + index + " == 0 || " + isBetter() + ") { acc = v; best = " + index + "; }");
    });
    source.decide();
    s.store(s.epilogue("best", ElementType.I64, loops.coordinates()), loops.coordinates());
  }

  private String isBetter() {
    boolean max = op.kind() == Op.ReduceKind.ARG_MAX || op.kind() == Op.ReduceKind.ARG_MAX_LAST;
    boolean last =
        op.kind() == Op.ReduceKind.ARG_MAX_LAST || op.kind() == Op.ReduceKind.ARG_MIN_LAST;
    return "v " + (max ? ">" : "<") + (last ? "=" : "") + " acc || (v != v && acc == acc)";
  }

  @Override
  public List<Integer> inner() {
    return op.axes();
  }

  /// One: a result is a work item's.
  @Override
  public int local() {
    return 1;
  }

  @Override
  public void openRow(KernelText text) {
    for (int axis : op.axes()) {
      String v = "r" + axis;
      String extent = IndexText.affine(operand.dim(axis));
      text.open("for (long " + v + " = 0; " + v + " < " + extent + "; " + v + "++)");
    }
  }

  @Override
  public void openElements(KernelText text, boolean mayNameNone) {
    if (lanes != null) {
      if (mayNameNone) {
        text.line("if (ok)");
      }
      if (isVector) {
        openLanes(lanes, Integer.toString(vectors()), "j * " + VECTOR);
      } else {
        openLanes(lanes, "width", "j");
      }
    }
  }

  @Override
  public int vector() {
    return isVector ? VECTOR : 1;
  }

  @Override
  public void closeElements(KernelText text) {
    if (lanes != null) {
      text.close();
    }
  }

  @Override
  public void closeRow(KernelText text) {
    op.axes().forEach(_ -> text.close());
  }

  private String element() {
    return new ExprText(new Single("value"), List.of(operand.element())).of(op.map());
  }

  /// The operand's coordinates.
  @Override
  public List<Coordinate> coordinates() {
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
