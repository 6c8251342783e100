package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.Chains;
import io.miniinference.codegen.cpu.lanes.LaneRow;
import io.miniinference.codegen.cpu.lanes.RowLength;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.order.RowPlace;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Sums and extremes of rows along the last axis, and where extremes are, such as those that a
/// tensor's range is found by (DynamicQuantizeLinear), or over several last axes whose elements are
/// neighbours, such as those of an image's channels: sixteen neighbours at a time.
record RowReduce() implements CpuStrategy.Several {
  private static final int LANES = VectorText.LANES;

  /// Elements below which a second worker costs more than it saves.
  private static final long GRAIN_ELEMENTS = 16_384;

  private static final String HEAD =
      """
      A work item owns a row of the operand, whose elements are neighbours, and combines them in four vectors; then
      these, and their lanes. What is left behind the last whole vector is filled up with what changes nothing. Where
      the place of an extreme is asked for, the row is walked again, as far as there.
      """;

  private static final Template KERNEL =
      Template.of(
          "reduction of rows",
          """
          long item = (long)@globalId + first;
          $places
          if (item > 0) return;
          @global const float* in = x0 + $start;
          $starts
          long v = 0;
          for (; v + $chains <= $vectors; v += $chains) {
            $several
          }
          for (; v < $vectors; v++) {
            $one
          }
          $rest
          $together
          float lanes[16];
          @store(16, a0, 0, lanes);
          for (int width = 8; width > 0; width /= 2)
            for (int j = 0; j < width; j++) {
              const float a = lanes[j], b = lanes[j + width];
              lanes[j] = $scalar;
            }
          const float result = lanes[0];
          $place
          $store
          """);

  private static final Template PLACE =
      Template.of("row of an axis", "const long i$axis = item % $extent; item /= $extent;");

  private static final Template TAKE =
      Template.of(
          "vector of a row, combined",
          """
          {
            const float16 x = @load(16, 0, in + (v + $number) * $step);
            $statements
            const float16 b = $value;
            a$number = $combined;
          }
          """);

  private static final Template REST =
      Template.of(
          "rest of a row, combined",
          """
          {
            float rest[16] = {0};
            for (int j = 0; j < $left; j++) rest[j] = in[$vectors * $step + j];
            const float16 x = @load(16, 0, rest);
            $statements
            @store(16, $value, 0, rest);
            for (int j = $left; j < 16; j++) rest[j] = $neutral;
            const float16 b = @load(16, 0, rest);
            a0 = $combined;
          }
          """);

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return canUse(step)
        ? Algorithm.of("reduction of rows, 16 neighbours at a time")
        : Algorithm.plain("its operand is gathered element by element");
  }

  /// Whether a node is of this kind.
  ///
  /// @param x how its operand lies
  static boolean fits(Node node, Op.Reduce op, IndexFunction x) {
    TensorType operand = node.inputs().getFirst().type();
    boolean isKnown =
        switch (op.kind()) {
          case SUM, MAX, MIN, ARG_MAX, ARG_MIN -> true;
          case PRODUCT, ARG_MAX_LAST, ARG_MIN_LAST -> false;
        };
    return isKnown
        && operand.element() == ElementType.F32
        && RowLength.areLast(op.axes(), operand.rank())
        && ofRow(op, operand).allMatch(Affine::isConstant)
        && row(op, operand).elements().typical() >= LANES
        && VectorText.supports(op.map())
        && LaneRow.suits(x, op.axes().size());
  }

  private static Stream<Affine> ofRow(Op.Reduce op, TensorType operand) {
    return operand.shape().stream().skip(operand.rank() - op.axes().size());
  }

  private static RowLength row(Op.Reduce op, TensorType operand) {
    return RowLength.of(operand.shape(), op.axes().size());
  }

  private static boolean canUse(LoweredStep step) {
    int axes = ((Op.Reduce) step.node().op()).axes().size();
    return step.gathered() == null && LaneRow.suits(step.inputs().getFirst().index(), axes);
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return step.gathered() != null || canUse(step);
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    Op.Reduce op = (Op.Reduce) step.node().op();
    return List.of(canUse(step) ? write(step, op) : ReduceKernel.write(step, op, failures));
  }

  private static KernelText.Written write(LoweredStep step, Op.Reduce op) {
    StepText s = new StepText(step, 1);
    TensorType operand = step.node().inputs().getFirst().type();
    List<Affine> rows = operand.shape().subList(0, operand.rank() - op.axes().size());
    RowLength row = row(op, operand);
    List<Coordinate> at = coordinates(rows.size());
    List<Coordinate> first = new ArrayList<>(at);
    List<Coordinate> starts = Collections.nCopies(op.axes().size(), Coordinate.ZERO);
    first.addAll(starts);
    if (op.keepDims()) {
      at.addAll(starts);
    }
    IndexFunction x = step.inputs().getFirst().index();
    s.text()
        .head(HEAD)
        .add(
            KERNEL
                .with("places", places(rows))
                .with("start", IndexText.offset(x, first))
                .with("starts", Chains.lines(i -> "float16 a" + i + " = " + neutral(op) + ";"))
                .with("chains", Chains.NUMBER)
                .with("vectors", row.vectors())
                .with("several", Chains.lines(i -> take(op, x, i)))
                .with("one", take(op, x, 0))
                .with("rest", row.hasRest() ? rest(op, x, row) : "")
                .with("together", new Chains(op.kind()).together())
                .with("scalar", ofNumbers(op))
                .with("place", op.kind().isArg() ? place(op, x, row) : "")
                .with("store", s.stored(result(s, op, at), at)));
    Affine items = rows.stream().reduce(Affine.ONE, Affine::times);
    int grain = (int) Math.max(1, GRAIN_ELEMENTS / Math.max(1, row.columns()));
    return new KernelText.Written(s.text(), new Launch.Items(items, grain));
  }

  private static String result(StepText s, Op.Reduce op, List<Coordinate> at) {
    return op.kind().isArg()
        ? s.epilogue(RowPlace.NAME, ElementType.I64, at)
        : s.epilogue("result", ElementType.F32, at);
  }

  private static String place(Op.Reduce op, IndexFunction x, RowLength row) {
    return new RowPlace(op.map(), step(x), row.vectors(), row.left()).text();
  }

  private static List<Coordinate> coordinates(int rank) {
    return new ArrayList<>(
        IntStream.range(0, rank).mapToObj(axis -> Coordinate.of("i" + axis)).toList());
  }

  private static String places(List<Affine> rows) {
    return IntStream.range(0, rows.size())
        .map(i -> rows.size() - 1 - i)
        .mapToObj(axis ->
            PLACE.with("axis", axis).with("extent", IndexText.affine(rows.get(axis))).text())
        .collect(Collectors.joining("\n"));
  }

  /* Elements from a vector of a row to the next. */
  private static long step(IndexFunction x) {
    int last = x.rank() - 1;
    return x.axes().get(last).isBlocked() ? x.axes().get(last).outerStride().constant() : LANES;
  }

  private static String take(Op.Reduce op, IndexFunction x, int number) {
    VectorText.Written value = VectorText.write(op.map(), _ -> "x");
    return TAKE.with("number", number)
        .with("step", step(x) + "L")
        .with("statements", value.statements())
        .with("value", value.value())
        .with("combined", new Chains(op.kind()).combined("a" + number, "b"))
        .text();
  }

  private static String rest(Op.Reduce op, IndexFunction x, RowLength row) {
    VectorText.Written value = VectorText.write(op.map(), _ -> "x");
    return REST.with("left", row.left())
        .with("vectors", row.vectors())
        .with("step", step(x) + "L")
        .with("statements", value.statements())
        .with("value", value.value())
        .with("neutral", number(op))
        .with("combined", new Chains(op.kind()).combined("a0", "b"))
        .text();
  }

  private static String number(Op.Reduce op) {
    return switch (op.kind()) {
      case MAX, ARG_MAX -> "-INFINITY";
      case MIN, ARG_MIN -> "INFINITY";
      default -> "0.0f";
    };
  }

  private static String neutral(Op.Reduce op) {
    return "@splat(16, " + number(op) + ")";
  }

  private static String ofNumbers(Op.Reduce op) {
    return switch (op.kind()) {
      case MAX, ARG_MAX -> "a < b || b != b ? b : a";
      case MIN, ARG_MIN -> "a > b || b != b ? b : a";
      default -> "a + b";
    };
  }
}
