package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.WindowLoops;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// Convolutions and pools for all types, ranks, groups and layouts, one work item per output
/// element. Where channels are innermost, neighbours read neighbouring channels.
final class WindowKernels {
  private static final String HEAD =
      """
      A work item owns one element of the result and goes over the taps of its window, leaving out those on padding;
      neighbouring work items have neighbours in the order of memory, channels where those are innermost, and so read
      and store side by side. All types, ranks, groups and layouts: common cases have faster kernels.
      """;

  private static final Template CONVOLUTION =
      Template.of(
          "convolution of any kind",
          """
          const long channel = ($m) / $outputs * $channels;
          $type acc = 0;
          $taps
          """);

  private static final Template CHANNELS =
      Template.of(
          "channels of a tap",
          """
          for (long c = 0; c < $channels; c++) {
            $multiply
          }
          """);

  private static final Template TRANSPOSED =
      Template.of(
          "transposed convolution of any kind",
          """
          const long channel = ($output) / $outputs * $channels;
          const long m = ($output) % $outputs;
          $type acc = 0;
          $taps
          """);

  private static final Template GROUP_CHANNELS =
      Template.of(
          "channels of a tap in a group",
          """
          for (long c = channel; c < channel + $channels; c++) {
            $multiply
          }
          """);

  private static final Template MULTIPLY =
      Template.of("product of a tap", "acc += ($type)$left * ($type)$right;");

  private static final Template POOL =
      Template.of(
          "pool of any kind",
          """
          $accumulator
          int count = 0;
          $taps
          $divide
          """);

  private final StepText s;
  private final Elements elements;
  private final List<Coordinate> at;
  private final TensorType x;

  private WindowKernels(LoweredStep step) {
    s = new StepText(step, Elements.LOCAL);
    elements = new Elements(step.output().index());
    at = elements.coordinates();
    x = step.node().inputs().getFirst().type();
    s.text().head(HEAD);
  }

  static KernelText.Written convolve(LoweredStep step, Op.Conv op) {
    return LaneKernels.convolve(step, op).orElseGet(() -> new WindowKernels(step).convolve(op));
  }

  static KernelText.Written transposed(LoweredStep step, Op.ConvTranspose op) {
    return new WindowKernels(step).transposed(op);
  }

  static KernelText.Written pool(LoweredStep step, Op.WindowReduce op) {
    return LaneKernels.pool(step, op).orElseGet(() -> new WindowKernels(step).pool(op));
  }

  private ElementType sums() {
    return Op.Contraction.sums(s.step().node());
  }

  private TensorType weight() {
    return s.step().node().inputs().get(1).type();
  }

  private KernelText.Written convolve(Op.Conv op) {
    long channels = weight().dim(1).asConstant();
    String m = at.get(1).whole();
    WindowLoops window = new WindowLoops(op.window(), x);
    Packed packed =
        new Packed(s.type(1), s.pointer(1), window, "c", channels, m, weight().dim(0).asConstant());
    String read = s.read(0, window.tap(at.get(0), Coordinate.of("(channel + c)")));
    Template.Filling tap =
        CHANNELS
            .with("channels", channels)
            .with("multiply", multiply(read, weight(window, m, "c", packed)));
    return written(
        CONVOLUTION
            .with("m", m)
            .with("outputs", weight().dim(0).asConstant() / op.groups())
            .with("channels", channels)
            .with("type", ElementKernels.accumulator(sums()))
            .with("taps", window.over(tap)));
  }

  /* The weight of output channel `m` and input channel `c` at the current tap. */
  private String weight(WindowLoops loops, String first, String second, Packed packed) {
    return s.step().packed().get(1) ? packed.read() : s.read(1, loops.weight(first, second));
  }

  /* The same among packed weights of so many input and output channels. */
  private record Packed(
      CType type,
      String pointer,
      WindowLoops window,
      String c,
      long channels,
      String m,
      long outputs) {
    private static final Template PLACE =
        Template.of("packed weight", "($tap * ${channels}L + $c) * $outputs + $m");

    String read() {
      return type.read(
          pointer,
          PLACE
              .with("tap", window.number())
              .with("channels", channels)
              .with("c", c)
              .with("outputs", GpuPacking.padded(outputs))
              .with("m", m)
              .text());
    }
  }

  private KernelText.Written transposed(Op.ConvTranspose op) {
    long inputs = x.dim(1).asConstant();
    long channels = inputs / op.groups();
    long outputs = weight().dim(1).asConstant();
    WindowLoops window = new WindowLoops(op.window(), x);
    Packed packed = new Packed(s.type(1), s.pointer(1), window, "c", inputs, "m", outputs);
    String read = s.read(0, window.tap(at.get(0), Coordinate.of("c")));
    Template.Filling tap =
        GROUP_CHANNELS
            .with("channels", channels)
            .with("multiply", multiply(read, weight(window, "c", "m", packed)));
    return written(
        TRANSPOSED
            .with("output", at.get(1).whole())
            .with("outputs", outputs)
            .with("channels", channels)
            .with("type", ElementKernels.accumulator(sums()))
            .with("taps", window.overTransposed(tap)));
  }

  private Template.Filling multiply(String left, String right) {
    return MULTIPLY
        .with("type", ElementKernels.accumulator(sums()))
        .with("left", left)
        .with("right", right);
  }

  private KernelText.Written written(Template.Filling accumulate) {
    Template.Filling finish = ElementKernels.finish(s, sums(), at);
    s.text().line(Statements.of(elements.item(), accumulate, finish));
    return new KernelText.Written(s.text(), elements.work());
  }

  private KernelText.Written pool(Op.WindowReduce op) {
    Op.ReduceKind kind = op.kind() == Op.PoolKind.MAX ? Op.ReduceKind.MAX : Op.ReduceKind.SUM;
    Accumulator accumulator = Accumulator.of(kind, x.element());
    WindowLoops window = new WindowLoops(op.window(), x);
    String take = accumulator.combine("acc", s.read(0, window.tap(at.get(0), at.get(1))));
    return written(
        POOL.with("accumulator", accumulator.declare("acc"))
            .with("taps", window.over(Statements.of(take, "count++;")))
            .with("divide", window.divided(op.kind(), x.element())));
  }
}
