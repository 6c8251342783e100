package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.WindowLoops;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// Convolutions and pools for all types, ranks, groups and layouts, one work item per output
/// element. Where channels are innermost, neighbours read neighbouring channels.
final class WindowKernels {
  private final StepText s;
  private final Elements elements;
  private final List<Coordinate> at;
  private final TensorType x;

  private WindowKernels(LoweredStep step) {
    s = new StepText(step, Elements.LOCAL);
    elements = new Elements(step.output().index());
    at = elements.coordinates();
    x = step.node().inputs().getFirst().type();
    s.text().head(Elements.ABOUT);
    elements.open(s.text());
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

  private TensorType weight() {
    return s.step().node().inputs().get(1).type();
  }

  private KernelText.Written convolve(Op.Conv op) {
    long channels = weight().dim(1).asConstant();
    long outputs = weight().dim(0).asConstant() / op.groups();
    KernelText text = s.text();
    String m = at.get(1).whole();
    text.line("const long channel = (" + m + ") / " + outputs + " * " + channels + ";");
    accumulate(x.element());
    WindowLoops window = new WindowLoops(op.window(), x);
    window.open(text);
    text.open("for (long c = 0; c < " + channels + "; c++)");
    String read = s.read(0, window.tap(at.get(0), Coordinate.of("(channel + c)")));
    Packed packed =
        new Packed(s.pointer(1), op.window(), "c", channels, m, weight().dim(0).asConstant());
    multiply(read, weight(window, m, "c", packed));
    text.close();
    window.close(text);
    return finish();
  }

  /* The weight of output channel `m` and input channel `c` at the current tap. */
  private String weight(WindowLoops loops, String first, String second, Packed packed) {
    return s.step().packed().get(1) ? packed.read() : s.read(1, loops.weight(first, second));
  }

  /* The same among packed weights of so many input and output channels. */
  private record Packed(
      String pointer, Window window, String c, long channels, String m, long outputs) {
    String read() {
      String tap = "0";
      for (int d = 0; d < window.rank(); d++) {
        tap = "(" + tap + " * " + window.kernel().get(d) + " + k" + (d + 2) + ")";
      }
      String row = "(" + tap + " * " + channels + "L + " + c + ")";
      return pointer + "[" + row + " * " + GpuPacking.padded(outputs) + " + " + m + "]";
    }
  }

  private KernelText.Written transposed(Op.ConvTranspose op) {
    long inputs = x.dim(1).asConstant();
    long channels = inputs / op.groups();
    long outputs = weight().dim(1).asConstant();
    KernelText text = s.text();
    String output = at.get(1).whole();
    text.line("const long channel = (" + output + ") / " + outputs + " * " + channels + ";");
    text.line("const long m = (" + output + ") % " + outputs + ";");
    accumulate(x.element());
    WindowLoops window = new WindowLoops(op.window(), x);
    window.openTransposed(text);
    text.open("for (long c = channel; c < channel + " + channels + "; c++)");
    String read = s.read(0, window.tap(at.get(0), Coordinate.of("c")));
    Packed packed = new Packed(s.pointer(1), op.window(), "c", inputs, "m", outputs);
    multiply(read, weight(window, "c", "m", packed));
    text.close();
    window.close(text);
    return finish();
  }

  private void accumulate(ElementType element) {
    s.text().line(ElementKernels.accumulator(element) + " acc = 0;");
  }

  private void multiply(String left, String right) {
    String type = ElementKernels.accumulator(x.element());
    s.text().line("acc += (" + type + ")" + left + " * (" + type + ")" + right + ";");
  }

  private KernelText.Written finish() {
    ElementKernels.finish(s, x.element(), at);
    return new KernelText.Written(s.text(), elements.work());
  }

  private KernelText.Written pool(Op.WindowReduce op) {
    Op.ReduceKind kind = op.kind() == Op.PoolKind.MAX ? Op.ReduceKind.MAX : Op.ReduceKind.SUM;
    Accumulator accumulator = Accumulator.of(kind, x.element());
    KernelText text = s.text();
    text.line(accumulator.type() + " acc = " + accumulator.start() + ";");
    text.line("int count = 0;");
    WindowLoops window = new WindowLoops(op.window(), x);
    window.open(text);
    text.line(accumulator.combine("acc", s.read(0, window.tap(at.get(0), at.get(1)))));
    text.line("count++;");
    window.close(text);
    switch (op.kind()) {
      case MAX, SUM -> {}
      // A window without taps is 0/0 in floats, and 0 in integers, which must not be divided.
      case AVERAGE ->
          text.line(x.element().isFloat() ? "acc /= count;" : "if (count) acc /= count;");
      case AVERAGE_WITH_PADDING -> text.line("acc /= " + paddedCount(op.window(), x) + ";");
    }
    return finish();
  }

  /// Text of the number of taps inside input or padding: a window of ceil mode may hang over the
  /// padding's end.
  static String paddedCount(Window w, TensorType x) {
    StringBuilder text = new StringBuilder("(1");
    for (int d = 0; d < w.rank(); d++) {
      long end = x.dim(d + 2).asConstant() + w.padsBegin().get(d) + w.padsEnd().get(d);
      int dilation = w.dilations().get(d);
      text.append(
          " * min((long)KERNEL, (END - iAXIS * STRIDE) / DILATION)"
              .replace("KERNEL", "" + w.kernel().get(d))
              .replace("END", (end + dilation - 1) + "L")
              .replace("AXIS", "" + (d + 2))
              .replace("STRIDE", "" + w.strides().get(d))
              .replace("DILATION", "" + dilation));
    }
    return text.append(')').toString();
  }
}
