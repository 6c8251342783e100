package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.LaneRow;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Running sums and products along an axis that is not the last, of many places on the last axis
/// side by side: each waits for the one before it along its own axis, and none for its neighbour.
/// The loop over neighbours is the inner one, so that memory is gone over in its order, and the
/// driver's compiler makes vectors of it, whatever the type. All axes behind that of the running
/// values are one where their elements are neighbours in memory.
record ScanColumns() implements CpuStrategy.Several {
  /// Places side by side, whose running values stay in the cache.
  private static final long WIDTH = 128;

  /// Fewest places that are worth it.
  private static final long LEAST = 8;

  /// Elements below which a second worker costs more than it saves.
  private static final long GRAIN_ELEMENTS = 8192;

  private static final String HEAD =
      """
      A work item owns up to 128 neighbours on the last axis, at one place on the others but that of the running values,
      and walks along that one with all of them side by side.
      """;

  private static final Template KERNEL =
      Template.of(
          "running values side by side",
          """
          long item = (long)@globalId + first;
          if (item >= $items) return;
          const long start = item % $parts * $width; item /= $parts;
          const int count = (int)min((long)$width, $columns - start);
          $places
          $type running[$width];
          for (int j = 0; j < count; j++) running[j] = $initial;
          for (long step = 0; step < $extent; step++) {
            const long i$axis = $place;
            for (int j = 0; j < count; j++) {
              const long i$last = start + j;
              $type acc = running[j];
              $before
              acc = ($type)(acc $operator $value);
              $after
              running[j] = acc;
              $store
            }
          }
          """);

  private static final Template PLACE =
      Template.of(
          "place of running values", "const long i$axis = item % $extent; item /= $extent;");

  /// Whether a node is of this kind.
  static boolean fits(Node node, Op.Scan op) {
    TensorType x = node.inputs().getFirst().type();
    int last = x.rank() - 1;
    return op.axis() < last && x.dim(last).isConstant() && x.dim(last).typical() >= LEAST;
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return step.gathered() == null
        ? Algorithm.of("running values of neighbours, side by side")
        : Algorithm.plain("its operand is gathered element by element");
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    Op.Scan op = (Op.Scan) step.node().op();
    return List.of(step.gathered() == null ? write(step, op) : RowKernels.scan(step, op, failures));
  }

  private static KernelText.Written write(LoweredStep step, Op.Scan op) {
    return new Writer(step, op).write();
  }

  /// The text of one kernel.
  private static final class Writer {
    private final StepText s;
    private final Op.Scan op;
    private final TensorType x;
    private final int last;

    /// The first of the axes that are gone over as the last one.
    private final int firstInner;

    Writer(LoweredStep step, Op.Scan op) {
      s = new StepText(step, 1);
      this.op = op;
      x = step.node().inputs().getFirst().type();
      last = x.rank() - 1;
      firstInner = areNeighbours(step) ? op.axis() + 1 : last;
    }

    private boolean areNeighbours(LoweredStep step) {
      int axes = last - op.axis();
      return LaneRow.suits(step.inputs().getFirst().index(), axes)
          && LaneRow.suits(step.output().index(), axes);
    }

    private Affine columns() {
      return IntStream.rangeClosed(firstInner, last)
          .mapToObj(x::dim)
          .reduce(Affine.ONE, Affine::times);
    }

    private List<Coordinate> coordinates() {
      return IntStream.rangeClosed(0, last)
          .mapToObj(axis ->
              axis >= firstInner && axis < last ? Coordinate.ZERO : Coordinate.of("i" + axis))
          .toList();
    }

    KernelText.Written write() {
      ElementType element = x.element();
      List<Coordinate> at = coordinates();
      boolean sum = op.kind() == Op.ScanKind.SUM;
      String end = IndexText.affine(x.dim(op.axis()));
      String result = "const " + CType.of(element).computed() + " result = acc;";
      s.text()
          .head(HEAD)
          .add(
              KERNEL
                  .with("items", IndexText.affine(outer()) + " * " + parts())
                  .with("parts", parts())
                  .with("width", WIDTH)
                  .with("columns", IndexText.affine(columns()))
                  .with("places", places())
                  .with("type", CType.of(element).computed())
                  .with("initial", sum ? "0" : "1")
                  .with("extent", end)
                  .with("axis", op.axis())
                  .with("last", last)
                  .with("place", op.reverse() ? end + " - 1 - step" : "step")
                  .with("before", op.exclusive() ? result : "")
                  .with("operator", sum ? "+" : "*")
                  .with("value", s.read(0, at))
                  .with("after", op.exclusive() ? "" : result)
                  .with("store", s.stored(s.epilogue("result", element, at), at)));
      return new KernelText.Written(s.text(), work());
    }

    /* Where work items are besides their places on the last axis. */
    private Affine outer() {
      return outerAxes().mapToObj(x::dim).reduce(Affine.ONE, Affine::times);
    }

    private IntStream outerAxes() {
      return IntStream.range(0, firstInner).filter(axis -> axis != op.axis());
    }

    private String places() {
      List<Integer> axes = outerAxes().boxed().toList().reversed();
      return axes.stream()
          .map(axis ->
              PLACE.with("axis", axis).with("extent", IndexText.divisor(x.dim(axis))).text())
          .collect(Collectors.joining("\n"));
    }

    /* Computed in the text from an open size: a quotient would be taken for one of all sizes. */
    private String parts() {
      return columns().isOpen()
          ? IndexText.quotient(columns().constant(), WIDTH)
          : Long.toString(shares());
    }

    /* At least one: there may be columns in another request. */
    private long shares() {
      return Math.max(1, Math.ceilDiv(columns().constant(), WIDTH));
    }

    private Launch.Items work() {
      Affine along = x.dim(op.axis());
      long steps = along.isConstant() ? Math.max(1, along.constant()) : 64;
      long elements = steps * Math.clamp(columns().constant(), 1, WIDTH);
      return new Launch.Items(
          outer().times(shares()), (int) Math.max(1, GRAIN_ELEMENTS / elements));
    }
  }
}
