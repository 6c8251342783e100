package io.miniinference.codegen.cpu;

import static java.util.Objects.requireNonNull;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.RowOperand;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.LaneRow;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.type.ExprType;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Reductions: per output element a loop over the reduced axes. Where neighbours in the output come
/// from neighbours in the operand, as those over an image's channels do, some of them are
/// accumulated side by side, so that memory is gone over in its order; where the operand is
/// gathered, and they come from neighbours in what one index names, so that an index is looked at
/// once for all. Sums of floats are kept in vectors: of an array, compilers keep in memory what
/// they cannot unroll.
final class ReduceKernel implements RowOperand.Walk {
  private static final String HEAD =
      """
      A work item owns some neighbouring elements of the result, and walks over the reduced axes of each in turn, in
      any layout.
      """;

  private static final String SIDE_BY_SIDE_HEAD =
      """
      A work item owns some neighbouring elements of the result. An index names a line of the operand: its elements,
      up to %d at a time, are added to those before side by side, so that the index is looked at once for all of them.
      """;

  private static final String NEIGHBOURS_HEAD =
      """
      A work item owns some neighbouring elements of the result, up to %d at a time, and walks over the reduced axes
      with all of these side by side: neighbours in memory are read one after the other.
      """;

  /// Fewest neighbours that are worth it.
  private static final int LEAST = 8;

  /// Most elements of a gathered line side by side.
  private static final int LANES = 64;

  /// Most neighbours side by side: memory is read in runs of a kilobyte of floats.
  private static final int NEIGHBOURS = 256;

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
            && lanes.extent().isAlwaysMultipleOf(VECTOR)
            && source.isDense(operandAxis(lanes.axis()));
  }

  /* The innermost loop of the work item, if its elements can be accumulated side by side. */
  private Loops.@Nullable Loop lanes() {
    Loops.Loop last = loops.inner().isEmpty() ? null : loops.inner().getLast();
    return last != null && last.part() == Loops.Part.WHOLE && areBeside(operandAxis(last.axis()))
        ? last
        : null;
  }

  private boolean areBeside(int axis) {
    return isGathered()
        ? !op.kind().isArg() && source.sharesTuple(List.of(axis))
        : areManyNeighbours(s.step().inputs().getFirst().index(), axis);
  }

  private boolean isGathered() {
    return s.step().gathered() != null;
  }

  private static boolean areManyNeighbours(IndexFunction x, int axis) {
    return LaneRow.areNeighbours(x, axis) && x.axes().get(axis).extent().typical() >= LEAST;
  }

  /// Reductions whose results are computed side by side where operand and result lie as they were
  /// when this was chosen, and one by one otherwise.
  record SideBySide() implements CpuStrategy.Several {

    /// Whether a node is of this kind.
    ///
    /// @param x how its operand lies
    static boolean fits(Node node, Op.Reduce op, IndexFunction x) {
      int last = node.inputs().getFirst().type().rank() - 1;
      return !op.axes().contains(last) && last >= 0 && areManyNeighbours(x, last);
    }

    @Override
    public Algorithm algorithm(LoweredStep step) {
      return new ReduceKernel(step, (Op.Reduce) step.node().op(), 0).lanes != null
          ? Algorithm.of("reductions of neighbours, up to %d side by side".formatted(NEIGHBOURS))
          : Algorithm.plain("its operand or its result lies otherwise");
    }

    @Override
    public List<KernelText.Written> kernels(LoweredStep step, int failures) {
      return List.of(ReduceKernel.write(step, (Op.Reduce) step.node().op(), failures));
    }
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
    s.text()
        .head(head())
        .line(Statements.of(loops.item(), lanes == null ? each() : sideBySide(lanes)));
    return new KernelText.Written(s.text(), loops.work(weight()));
  }

  private String head() {
    if (lanes == null) {
      return HEAD;
    }
    return (isGathered() ? SIDE_BY_SIDE_HEAD : NEIGHBOURS_HEAD).formatted(most());
  }

  /* Elements side by side, at most. */
  private int most() {
    return isGathered() ? LANES : NEIGHBOURS;
  }

  private static final Template EACH =
      Template.of(
          "reduction",
          """
          $open
          $accumulator
          $walk
          $decide
          $store
          """);

  private String each() {
    Accumulator accumulator = Accumulator.of(op.kind(), mapped);
    Template.Filling each =
        EACH.with("open", source.open())
            .with(
                "accumulator",
                Statements.of(
                    accumulator.declare("acc"), op.kind().isArg() ? "long best = 0;" : ""))
            .with(
                "walk",
                source.walk(
                    op.kind().isArg()
                        ? takeBetter(accumulator)
                        : accumulator.combine("acc", element())))
            .with("decide", source.decide())
            .with("store", op.kind().isArg() ? storeIndex("best") : store("acc"));
    return loops.over(loops.inner(), each);
  }

  private static final Template SIDE_BY_SIDE =
      Template.of(
          "reductions side by side",
          """
          $open
          for (long lanes = 0; lanes < $end; lanes += $count) {
            $accumulators
            $walk
            $decide
            $store
          }
          """);

  private String sideBySide(Loops.Loop last) {
    Accumulator accumulator = Accumulator.of(op.kind(), mapped);
    Template.Filling lines =
        SIDE_BY_SIDE
            .with("open", source.open())
            .with("end", loops.end(last))
            .with("count", isVector ? vectors() * VECTOR : most())
            .with("accumulators", accumulators(accumulator, last))
            .with(
                "walk",
                source.walk(
                    op.kind().isArg()
                        ? takeBetterBeside(accumulator)
                        : accumulator.combine("acc[j]", element())))
            .with("decide", source.decide())
            .with("store", storeAccumulators(last));
    return loops.over(loops.inner().subList(0, loops.inner().size() - 1), lines);
  }

  /* How many vectors are side by side: as many as leave none over. */
  private int vectors() {
    int most = most() / VECTOR;
    while (!requireNonNull(lanes).extent().isAlwaysMultipleOf((long) VECTOR * most)) {
      most--;
    }
    return most;
  }

  private static final Template VECTORS =
      Template.of(
          "vectors of accumulators",
          """
          float$lanes acc[$vectors];
          for (int j = 0; j < $vectors; j++) acc[j] = $start;
          """);

  private static final Template ACCUMULATORS =
      Template.of(
          "accumulators",
          """
          const int width = (int)min((long)$lanes, $end - lanes);
          $type acc[$lanes];
          for (int j = 0; j < width; j++) acc[j] = $start;
          $places
          """);

  private static final Template PLACES =
      Template.of(
          "places of extremes",
          """
          int best[$lanes];
          for (int j = 0; j < width; j++) best[j] = 0;
          """);

  private Template.Filling accumulators(Accumulator accumulator, Loops.Loop last) {
    Template.Filling start =
        isVector
            ? VECTORS.with("lanes", VECTOR).with("vectors", vectors())
            : ACCUMULATORS
                .with("lanes", most())
                .with("end", loops.end(last))
                .with("places", op.kind().isArg() ? PLACES.with("lanes", most()) : "")
                .with("type", accumulator.type());
    return start.with("start", accumulator.start());
  }

  private static final Template SPREAD =
      Template.of(
          "vectors of accumulators as floats",
          """
          float sums[$elements];
          for (int j = 0; j < $vectors; j++) @store($lanes, acc[j], j, sums);
          """);

  private String storeAccumulators(Loops.Loop last) {
    if (!isVector) {
      String stored = op.kind().isArg() ? storeIndex("best[j]") : store("acc[j]");
      return overLanes("", last, "width", "j", stored);
    }
    int elements = vectors() * VECTOR;
    Template.Filling spread =
        SPREAD.with("elements", elements).with("vectors", vectors()).with("lanes", VECTOR);
    String lanes = overLanes("", last, Integer.toString(elements), "j", store("sums[j]"));
    return Statements.of(spread, lanes);
  }

  private static final Template OVER_LANES =
      Template.of(
          "loop over lanes",
          """
          $condition
          for (int j = 0; j < $count; j++) {
            const long $name = lanes + $lane;
            $body
          }
          """);

  private static String overLanes(
      String condition, Loops.Loop last, String count, String lane, String body) {
    return OVER_LANES
        .with("condition", condition)
        .with("count", count)
        .with("name", last.variable())
        .with("lane", lane)
        .with("body", body)
        .text();
  }

  private static final Template RESULT =
      Template.of(
          "result of a reduction",
          """
          const $type result = ($type)$accumulated;
          $store
          """);

  private String store(String accumulated) {
    List<Coordinate> at = loops.coordinates();
    return RESULT
        .with("type", CType.of(mapped).computed())
        .with("accumulated", accumulated)
        .with("store", s.stored(s.epilogue("result", mapped, at), at))
        .text();
  }

  private long weight() {
    long elements = 1;
    for (int axis : op.axes()) {
      elements *= operand.dim(axis).isConstant() ? operand.dim(axis).constant() : 64;
    }
    return Math.max(1, elements);
  }

  private static final Template TAKE_BETTER =
      Template.of(
          "index of the extreme",
          """
          const $type v = $value;
          if ($index == 0 || $isBetter) { acc = v; best = $index; }
          """);

  /* Without a jump, so that the driver's compiler makes vectors of it. */
  private static final Template TAKE_BETTER_BESIDE =
      Template.of(
          "indices of extremes",
          """
          const $type v = $value, held = acc[j];
          const int better = $index == 0 | $isBetter;
          acc[j] = better ? v : held;
          best[j] = better ? (int)$index : best[j];
          """);

  private String takeBetterBeside(Accumulator accumulator) {
    return TAKE_BETTER_BESIDE
        .with("type", accumulator.type())
        .with("value", element())
        .with("index", "r" + op.axes().getFirst())
        .with("isBetter", isBetter("held"))
        .text();
  }

  /* The first (or last) index of the extreme; NaN is an extreme of its own. */
  private String takeBetter(Accumulator accumulator) {
    return TAKE_BETTER
        .with("type", accumulator.type())
        .with("value", element())
        .with("index", "r" + op.axes().getFirst())
        .with("isBetter", isBetter("acc"))
        .text();
  }

  private static final Template INDEX =
      Template.of(
          "result of an index",
          """
          const long place = $best;
          $store
          """);

  private String storeIndex(String best) {
    List<Coordinate> at = loops.coordinates();
    return INDEX
        .with("best", best)
        .with("store", s.stored(s.epilogue("place", ElementType.I64, at), at))
        .text();
  }

  private boolean isMost() {
    return op.kind() == Op.ReduceKind.ARG_MAX || op.kind() == Op.ReduceKind.ARG_MAX_LAST;
  }

  private boolean isLast() {
    return op.kind() == Op.ReduceKind.ARG_MAX_LAST || op.kind() == Op.ReduceKind.ARG_MIN_LAST;
  }

  private String isBetter(String held) {
    return "(v %1$s%2$s %3$s) | ((v != v) & (%3$s == %3$s))"
        .formatted(isMost() ? ">" : "<", isLast() ? "=" : "", held);
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

  private static final Template LOOP =
      Template.of(
          "loop over a reduced axis",
          """
          for (long r$axis = 0; r$axis < $extent; r$axis++) {
            $body
          }
          """);

  @Override
  public String row(String body) {
    String text = body;
    for (int axis : op.axes().reversed()) {
      text =
          LOOP.with("axis", axis)
              .with("extent", IndexText.affine(operand.dim(axis)))
              .with("body", text)
              .text();
    }
    return text;
  }

  @Override
  public String elements(boolean mayNameNone, String body) {
    if (lanes == null) {
      return body;
    }
    String condition = mayNameNone ? "if (ok)" : "";
    return isVector
        ? overLanes(condition, lanes, Integer.toString(vectors()), "j * " + VECTOR, body)
        : overLanes(condition, lanes, "width", "j", body);
  }

  @Override
  public int vector() {
    return isVector ? VECTOR : 1;
  }

  private String element() {
    return new ExprText(new ExprText.Operand("value"), List.of(operand.element())).of(op.map());
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
}
