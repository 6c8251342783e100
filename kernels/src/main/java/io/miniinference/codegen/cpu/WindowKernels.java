package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.CType;
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

/// Convolutions and pools for all types, ranks, groups and layouts, one output element at a time.
/// The tuned forms stand beside it; this one is what they fall back to.
final class WindowKernels {
  private static final String HEAD =
      """
      A work item owns the innermost axes of the result, an element at a time: it goes over the taps of its window,
      and leaves out those on padding. All types, ranks, groups and layouts; common cases have faster kernels.
      """;

  private WindowKernels() {}

  static KernelText.Written convolve(LoweredStep step, Op.Conv op) {
    StepText s = new StepText(step, 1);
    TensorType x = step.node().inputs().get(0).type();
    long perGroup = step.node().inputs().get(1).type().dim(1).asConstant();
    long outputs = step.node().output().type().dim(1).asConstant() / op.groups();
    Loops loops = open(s);
    Coordinate m = loops.coordinates().get(1);
    accumulate(s, x.element());
    s.text().line("const long channel = (" + m.whole() + ") / " + outputs + " * " + perGroup + ";");
    WindowLoops window = new WindowLoops(op.window(), x);
    s.text().open("for (long c = 0; c < " + perGroup + "; c++)");
    window.open(s.text());
    String read = s.read(0, window.tap(loops.coordinates().get(0), Coordinate.of("(channel + c)")));
    s.text()
        .line(
            "acc += (TYPE)(READ) * (WEIGHT);"
                .replace("TYPE", accumulator(x.element()))
                .replace("READ", read)
                .replace("WEIGHT", s.read(1, window.weight(m.whole(), "c"))));
    window.close(s.text());
    s.text().close();
    return close(s, loops, x.element(), perGroup * taps(op.window()));
  }

  static KernelText.Written transposed(LoweredStep step, Op.ConvTranspose op) {
    StepText s = new StepText(step, 1);
    TensorType x = step.node().inputs().get(0).type();
    long channels = x.dim(1).asConstant() / op.groups();
    long outputs = step.node().inputs().get(1).type().dim(1).asConstant();
    Loops loops = open(s);
    String m = loops.coordinates().get(1).whole();
    accumulate(s, x.element());
    s.text().line("const long channel = (" + m + ") / " + outputs + " * " + channels + ";");
    s.text().line("const long m = (" + m + ") % " + outputs + ";");
    WindowLoops window = new WindowLoops(op.window(), x);
    window.openTransposed(s.text());
    s.text().open("for (long c = channel; c < channel + " + channels + "; c++)");
    String read = s.read(0, window.tap(loops.coordinates().get(0), Coordinate.of("c")));
    s.text()
        .line(
            "acc += (TYPE)(READ) * (WEIGHT);"
                .replace("TYPE", accumulator(x.element()))
                .replace("READ", read)
                .replace("WEIGHT", s.read(1, window.weight("c", "m"))));
    s.text().close();
    window.close(s.text());
    return close(s, loops, x.element(), channels * taps(op.window()));
  }

  static KernelText.Written pool(LoweredStep step, Op.WindowReduce op) {
    StepText s = new StepText(step, 1);
    TensorType x = step.node().inputs().getFirst().type();
    Loops loops = open(s);
    Op.ReduceKind kind = op.kind() == Op.PoolKind.MAX ? Op.ReduceKind.MAX : Op.ReduceKind.SUM;
    Accumulator accumulator = Accumulator.of(kind, x.element());
    s.text().line(accumulator.type() + " acc = " + accumulator.start() + ";");
    s.text().line("int count = 0;");
    WindowLoops window = new WindowLoops(op.window(), x);
    window.open(s.text());
    List<Coordinate> at = loops.coordinates();
    s.text().line(accumulator.combine("acc", s.read(0, window.tap(at.get(0), at.get(1)))));
    s.text().line("count++;");
    window.close(s.text());
    s.text().line(divide(op, x));
    return close(s, loops, x.element(), taps(op.window()));
  }

  /* Integers are divided as the wrapped sum that they are; no taps leave them 0. */
  private static String divide(Op.WindowReduce op, TensorType x) {
    boolean whole = !x.element().isFloat();
    String narrow = whole ? "acc = (" + CType.of(x.element()).computed() + ")acc; " : "";
    return switch (op.kind()) {
      case MAX, SUM -> "";
      case AVERAGE -> narrow + (whole ? "acc = count ? acc / count : acc;" : "acc /= count;");
      case AVERAGE_WITH_PADDING -> narrow + "acc /= " + paddedCount(op, x) + ";";
    };
  }

  /* Taps inside input or padding: a window of ceil mode may hang over the padding's end. */
  private static String paddedCount(Op.WindowReduce op, TensorType x) {
    StringBuilder text = new StringBuilder("(");
    Window w = op.window();
    for (int d = 0; d < w.rank(); d++) {
      String start = "(i" + (d + 2) + " * " + w.strides().get(d) + ")";
      long end = x.dim(d + 2).asConstant() + w.padsBegin().get(d) + w.padsEnd().get(d);
      text.append(d == 0 ? "" : " * ")
          .append("min((long)")
          .append(w.kernel().get(d))
          .append(", (")
          .append(end)
          .append("L - ")
          .append(start)
          .append(" + ")
          .append(w.dilations().get(d) - 1)
          .append(") / ")
          .append(w.dilations().get(d))
          .append(")");
    }
    return text.append(')').toString();
  }

  private static Loops open(StepText s) {
    Loops loops = Loops.over(s.step().output().index());
    s.text().head(HEAD);
    loops.openItem(s.text());
    loops.openInner(s.text());
    for (int i = 0; i < s.step().output().index().rank(); i++) {
      if (loops.coordinates().get(i).isZero()) {
        s.text().line("const long i" + i + " = 0;");
      }
    }
    return loops;
  }

  private static void accumulate(StepText s, ElementType element) {
    s.text().line(accumulator(element) + " acc = 0;");
  }

  private static String accumulator(ElementType element) {
    return element.isInteger() ? "long" : CType.of(element).computed();
  }

  private static KernelText.Written close(
      StepText s, Loops loops, ElementType element, long weight) {
    String c = CType.of(element).computed();
    s.text().line("const " + c + " result = (" + c + ")acc;");
    s.store(s.epilogue("result", element, loops.coordinates()), loops.coordinates());
    loops.closeInner(s.text());
    return new KernelText.Written(s.text(), loops.work(weight));
  }

  private static long taps(Window window) {
    return window.kernel().stream().mapToLong(k -> k).reduce(1, (a, b) -> a * b);
  }
}
