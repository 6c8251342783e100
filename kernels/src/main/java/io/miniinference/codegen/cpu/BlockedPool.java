package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;

/// Pooling of an `f32` plane in blocked layout, sixteen channels at a time: a work item is one
/// output row of one block of channels.
final class BlockedPool {
  private final LoweredStep step;
  private final Op.WindowReduce op;
  private final KernelText text = new KernelText();

  private BlockedPool(LoweredStep step, Op.WindowReduce op) {
    this.step = step;
    this.op = op;
  }

  static KernelText.Written write(LoweredStep step, Op.WindowReduce op) {
    return new BlockedPool(step, op).write();
  }

  /// Whether both arrays have sixteen channels in a vector.
  static boolean canWrite(LoweredStep step) {
    return isBlocked(step.inputs().getFirst().index()) && isBlocked(step.output().index());
  }

  private static boolean isBlocked(IndexFunction index) {
    return Vectors.suits(index)
        && index.axes().get(1).isBlocked()
        && index.axes().get(1).stride().equals(Affine.ONE);
  }

  private KernelText.Written write() {
    TensorType in = step.node().inputs().getFirst().type();
    TensorType out = step.node().output().type();
    IndexFunction x = step.inputs().getFirst().index();
    IndexFunction y = step.output().index();
    long blocks = y.axes().get(1).blocks();
    text.pointer("x", CType.F32, step.inputs().getFirst(), false);
    text.pointer("y", CType.F32, step.output(), true);
    text.line("long item = (long)get_global_id(0) + first;");
    text.line("const int oy = item % " + out.dim(2) + "; item /= " + out.dim(2) + ";");
    text.line("const int cb = item % " + blocks + "; item /= " + blocks + ";");
    text.line("if (item >= " + IndexText.affine(out.dim(0)) + ") return;");
    text.line("x += " + IndexText.affine(x.offset()) + " + " + start(x) + ";");
    text.line(
        "y += "
            + IndexText.affine(y.offset())
            + " + "
            + start(y)
            + " + oy * "
            + y.axes().get(2).stride()
            + "L;");
    text.open("for (int ox = 0; ox < " + out.dim(3) + "; ox++)");
    boolean max = op.kind() == Op.PoolKind.MAX;
    text.line("float16 acc = " + (max ? "(float16)(-INFINITY)" : "0") + ";");
    text.line("int count = 0;");
    taps(in, x, max);
    divide(in);
    text.line("vstore16(acc, 0, y + ox * " + y.axes().get(3).stride() + ");");
    text.close();
    Affine items = out.dim(0).times(blocks * out.dim(2).asConstant());
    return new KernelText.Written(text, new Launch.Items(items, 8));
  }

  private static String start(IndexFunction index) {
    Axis n = index.axes().get(0);
    return "item * "
        + IndexText.affine(n.stride())
        + " + cb * "
        + index.axes().get(1).outerStride().asConstant()
        + "L";
  }

  private void taps(TensorType in, IndexFunction x, boolean max) {
    Window w = op.window();
    String[] names = {"y", "x"};
    for (int d = 0; d < 2; d++) {
      String k = "k" + names[d];
      String i = "i" + names[d];
      text.open("for (int " + k + " = 0; " + k + " < " + w.kernel().get(d) + "; " + k + "++)");
      text.line(
          "const int "
              + i
              + " = o"
              + names[d]
              + " * "
              + w.strides().get(d)
              + " - "
              + w.padsBegin().get(d)
              + " + "
              + k
              + " * "
              + w.dilations().get(d)
              + ";");
      text.line("if (" + i + " < 0 || " + i + " >= " + in.dim(2 + d) + ") continue;");
    }
    text.line(
        "const float16 v = vload16(0, x + iy * "
            + x.axes().get(2).stride()
            + "L + ix * "
            + x.axes().get(3).stride()
            + ");");
    text.line(max ? "acc = select(acc, v, (v > acc) | (v != v));" : "acc += v;");
    text.line("count++;");
    text.close().close();
  }

  private void divide(TensorType in) {
    switch (op.kind()) {
      case MAX, SUM -> {}
      case AVERAGE -> text.line("acc /= (float16)((float)count);");
      case AVERAGE_WITH_PADDING -> {
        StringBuilder count = new StringBuilder();
        Window w = op.window();
        for (int d = 0; d < 2; d++) {
          long end = in.dim(d + 2).asConstant() + w.padsBegin().get(d) + w.padsEnd().get(d);
          count
              .append(d == 0 ? "" : " * ")
              .append("min(")
              .append(w.kernel().get(d))
              .append(", (")
              .append(end)
              .append(" - o")
              .append(d == 0 ? "y" : "x")
              .append(" * ")
              .append(w.strides().get(d))
              .append(" + ")
              .append(w.dilations().get(d) - 1)
              .append(") / ")
              .append(w.dilations().get(d))
              .append(")");
        }
        text.line("acc /= (float16)((float)(" + count + "));");
      }
    }
  }
}
