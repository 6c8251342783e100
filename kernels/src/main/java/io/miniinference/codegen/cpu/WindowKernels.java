package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.WindowLoops;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.lower.LoweredStep;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Convolutions and pools for all types, ranks, groups and layouts, one output element at a time.
/// The tuned forms stand beside it; this one is what they fall back to.
final class WindowKernels {
  private static final String HEAD =
      """
      A work item owns the innermost axes of the result, an element at a time: it goes over the taps of its window,
      and leaves out those on padding. All types, ranks, groups and layouts; common cases have faster kernels.
      """;

  private static final Template CONVOLUTION =
      Template.of(
          "convolution of any kind",
          """
          $type acc = 0;
          const long channel = ($m) / $outputs * $channels;
          for (long c = 0; c < $channels; c++) {
            $taps
          }
          """);

  private static final Template TRANSPOSED =
      Template.of(
          "transposed convolution of any kind",
          """
          $type acc = 0;
          const long channel = ($m) / $outputs * $channels;
          const long m = ($m) % $outputs;
          $taps
          """);

  private static final Template OVER_CHANNELS =
      Template.of(
          "channels of a tap",
          """
          for (long c = channel; c < channel + $channels; c++) {
            $multiply
          }
          """);

  private static final Template MULTIPLY =
      Template.of("product of a tap", "acc += ($type)($read) * ($weight);");

  private static final Template POOL =
      Template.of(
          "pool of any kind",
          """
          $accumulator
          int count = 0;
          $taps
          $divide
          """);

  private static final Template RESULT =
      Template.of(
          "result of a window",
          """
          $zeros
          $accumulate
          const $computed result = ($computed)acc;
          $store
          """);

  private final StepText s;
  private final TensorType x;
  private final Loops loops;
  private final List<Coordinate> at;

  private WindowKernels(LoweredStep step) {
    s = new StepText(step, 1);
    x = step.node().inputs().getFirst().type();
    loops = Loops.over(step.output().index());
    at = loops.coordinates();
    s.text().head(HEAD);
  }

  static KernelText.Written convolve(LoweredStep step, Op.Conv op) {
    return new WindowKernels(step).convolve(op);
  }

  static KernelText.Written transposed(LoweredStep step, Op.ConvTranspose op) {
    return new WindowKernels(step).transposed(op);
  }

  static KernelText.Written pool(LoweredStep step, Op.WindowReduce op) {
    return new WindowKernels(step).pool(op);
  }

  private TensorType weight() {
    return s.step().node().inputs().get(1).type();
  }

  private KernelText.Written convolve(Op.Conv op) {
    long channels = weight().dim(1).asConstant();
    WindowLoops window = new WindowLoops(op.window(), x);
    String m = at.get(1).whole();
    String read = s.read(0, window.tap(at.getFirst(), Coordinate.of("(channel + c)")));
    Template.Filling products =
        CONVOLUTION
            .with("type", accumulator())
            .with("m", m)
            .with("outputs", s.step().node().output().type().dim(1).asConstant() / op.groups())
            .with("channels", channels)
            .with("taps", window.over(multiply(read, s.read(1, window.weight(m, "c")))));
    return written(products, channels * taps(op.window()));
  }

  private KernelText.Written transposed(Op.ConvTranspose op) {
    long channels = x.dim(1).asConstant() / op.groups();
    WindowLoops window = new WindowLoops(op.window(), x);
    String read = s.read(0, window.tap(at.getFirst(), Coordinate.of("c")));
    Template.Filling tap =
        OVER_CHANNELS
            .with("channels", channels)
            .with("multiply", multiply(read, s.read(1, window.weight("c", "m"))));
    Template.Filling products =
        TRANSPOSED
            .with("type", accumulator())
            .with("m", at.get(1).whole())
            .with("outputs", weight().dim(1).asConstant())
            .with("channels", channels)
            .with("taps", window.overTransposed(tap));
    return written(products, channels * taps(op.window()));
  }

  private Template.Filling multiply(String read, String weight) {
    return MULTIPLY.with("type", accumulator()).with("read", read).with("weight", weight);
  }

  private KernelText.Written pool(Op.WindowReduce op) {
    Op.ReduceKind kind = op.kind() == Op.PoolKind.MAX ? Op.ReduceKind.MAX : Op.ReduceKind.SUM;
    Accumulator accumulator = Accumulator.of(kind, x.element());
    WindowLoops window = new WindowLoops(op.window(), x);
    String take = accumulator.combine("acc", s.read(0, window.tap(at.get(0), at.get(1))));
    Template.Filling pool =
        POOL.with("accumulator", accumulator.declare("acc"))
            .with("taps", window.over(take + "\ncount++;"))
            .with("divide", divide(op, window));
    return written(pool, taps(op.window()));
  }

  /* Integers are divided as the wrapped sum that they are; no taps leave them 0. */
  private String divide(Op.WindowReduce op, WindowLoops window) {
    boolean whole = !x.element().isFloat();
    String narrow = whole ? "acc = (" + CType.of(x.element()).computed() + ")acc; " : "";
    return switch (op.kind()) {
      case MAX, SUM -> "";
      case AVERAGE -> narrow + (whole ? "acc = count ? acc / count : acc;" : "acc /= count;");
      case AVERAGE_WITH_PADDING -> narrow + "acc /= " + window.paddedCount() + ";";
    };
  }

  private ElementType sums() {
    return Op.Contraction.sums(s.step().node());
  }

  private String accumulator() {
    ElementType element = sums();
    return element.isInteger() ? "long" : CType.of(element).computed();
  }

  private KernelText.Written written(Template.Filling accumulate, long weight) {
    Template.Filling element =
        RESULT
            .with("zeros", zeros())
            .with("accumulate", accumulate)
            .with("computed", CType.of(sums()).computed())
            .with("store", s.stored(s.epilogue("result", sums(), at), at));
    s.text().line(loops.over(element));
    return new KernelText.Written(s.text(), loops.work(weight));
  }

  /* Windows name all coordinates, also those along axes of one index, which have no loop. */
  private String zeros() {
    return IntStream.range(0, at.size())
        .filter(axis -> at.get(axis).isZero())
        .mapToObj(axis -> "const long i" + axis + " = 0;")
        .collect(Collectors.joining("\n"));
  }

  private static long taps(Window window) {
    return window.kernel().stream().mapToLong(k -> k).reduce(1, (a, b) -> a * b);
  }
}
