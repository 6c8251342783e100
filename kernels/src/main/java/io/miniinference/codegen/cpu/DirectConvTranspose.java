package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.device.Launch;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Transposed convolution over two spatial axes: a work item is one output row of sixteen channels,
/// stored as a vector into the blocked layout and lane by lane into any other; each pixel sums the
/// taps that reach it, over four accumulators so that `fma`s do not wait for each other.
final class DirectConvTranspose {
  private static final int SPLIT = 4;
  private final LoweredStep step;
  private final Op.ConvTranspose op;
  private final VectorEpilogue epilogue;
  private final KernelText text = new KernelText();
  private final List<String> extras = new ArrayList<>();
  private final Map<Integer, Vectors> added = new TreeMap<>();
  private final Vectors result;

  private DirectConvTranspose(LoweredStep step, Op.ConvTranspose op, VectorEpilogue epilogue) {
    this.step = step;
    this.op = op;
    this.epilogue = epilogue;
    this.result = new Vectors("y", step.output().index());
    for (int i = 0; i < epilogue.reads().size(); i++) {
      if (epilogue.reads().get(i) == VectorEpilogue.Read.SAME) {
        added.put(i, new Vectors("e" + (i + 2), step.inputs().get(i + 2).index()));
      }
    }
  }

  static KernelText.Written write(
      LoweredStep step, Op.ConvTranspose op, CpuStrategy.DirectConvTranspose strategy) {
    return new DirectConvTranspose(step, op, strategy.epilogue()).write();
  }

  private KernelText.Written write() {
    TensorType out = step.node().output().type();
    long blocks = result.blocks();
    text.pointer("x", CType.F32, step.inputs().get(0), false);
    text.pointer("w", CType.F32, step.inputs().get(1), false);
    for (int i = 2; i < step.inputs().size(); i++) {
      extras.add(text.pointer("e" + i, CType.F32, step.inputs().get(i), false));
    }
    text.pointer("y", CType.F32, step.output(), true);
    text.line("long item = (long)get_global_id(0) + first;");
    text.line("const int oy = item % " + out.dim(2) + "; item /= " + out.dim(2) + ";");
    text.line("const int ob = item % " + blocks + "; item /= " + blocks + ";");
    text.line("if (item >= " + IndexText.affine(out.dim(0)) + ") return;");
    image();
    start("row", result);
    added.forEach((i, vectors) -> start("row" + i, vectors));
    text.open("for (int ox = 0; ox < " + out.dim(3) + "; ox++)");
    for (int q = 0; q < SPLIT; q++) {
      text.line("float16 c" + q + " = 0;");
    }
    taps();
    text.line("const float16 raw = (c0 + c1) + (c2 + c3);");
    added.forEach((i, v) -> v.prepare(text, "t" + i, place("row" + i, v), "ob"));
    result.store(text, result(), place("row", result), "ob");
    text.close();
    return new KernelText.Written(
        text, new Launch.Items(out.dim(0).times(blocks * out.dim(2).asConstant()), 4));
  }

  private void start(String name, Vectors vectors) {
    text.line(
        "const long NAME = OFFSET + item * IMAGE + ob * BLOCKL + oy * ROWL;"
            .replace("NAME", name)
            .replace("OFFSET", IndexText.affine(vectors.index().offset()))
            .replace("IMAGE", IndexText.affine(vectors.index().axes().getFirst().stride()))
            .replace("BLOCK", "" + vectors.blockStride())
            .replace("ROW", "" + vectors.rowStride()));
  }

  private static String place(String row, Vectors vectors) {
    return row + " + ox * " + vectors.pixelStride() + "L";
  }

  private void image() {
    TensorType in = step.node().inputs().getFirst().type();
    IndexFunction x = step.inputs().getFirst().index();
    text.line(
        "x += "
            + IndexText.affine(x.offset())
            + " + item * "
            + IndexText.affine(x.axes().get(0).stride())
            + ";");
    long taps = (long) op.window().kernel().get(0) * op.window().kernel().get(1);
    text.line("w += ob * " + taps * in.dim(1).asConstant() * VectorText.LANES + "L;");
  }

  private void taps() {
    Window w = op.window();
    TensorType in = step.node().inputs().getFirst().type();
    IndexFunction x = step.inputs().getFirst().index();
    long channels = in.dim(1).asConstant();
    String[] names = {"y", "x"};
    for (int d = 0; d < 2; d++) {
      String k = "k" + names[d];
      String q = "q" + names[d];
      text.open("for (int " + k + " = 0; " + k + " < " + w.kernel().get(d) + "; " + k + "++)");
      text.line(
          "const int "
              + q
              + " = o"
              + names[d]
              + " + "
              + w.padsBegin().get(d)
              + " - "
              + k
              + " * "
              + w.dilations().get(d)
              + ";");
      text.line(
          "if ("
              + q
              + " < 0 || "
              + q
              + " % "
              + w.strides().get(d)
              + " != 0 || "
              + q
              + " / "
              + w.strides().get(d)
              + " >= "
              + in.dim(2 + d)
              + ") continue;");
    }
    text.line(
        "global const float* p = x + qy / "
            + w.strides().get(0)
            + " * "
            + x.axes().get(2).stride()
            + "L + qx / "
            + w.strides().get(1)
            + " * "
            + x.axes().get(3).stride()
            + "L;");
    text.line(
        "global const float* wt = w + (ky * "
            + w.kernel().get(1)
            + " + kx) * "
            + channels * VectorText.LANES
            + "L;");
    channels(x.axes().get(1), channels);
    text.close().close();
  }

  private void channels(Axis axis, long channels) {
    long whole = channels / SPLIT * SPLIT;
    text.open("for (int c = 0; c < " + whole + "; c += " + SPLIT + ")");
    for (int q = 0; q < SPLIT; q++) {
      text.line(fma(axis, "(c + " + q + ")", q));
    }
    text.close();
    for (long c = whole; c < channels; c++) {
      text.line(fma(axis, Long.toString(c), 0));
    }
  }

  private static String fma(Axis axis, String c, int q) {
    String at =
        axis.isBlocked()
            ? c
                + " / "
                + axis.block()
                + " * "
                + axis.outerStride()
                + " + "
                + c
                + " % "
                + axis.block()
            : c + " * " + axis.stride();
    return "cQ = fma((float16)(p[AT]), vload16(0, wt + C * 16), cQ);"
        .replace("Q", Integer.toString(q))
        .replace("AT", at)
        .replace("C", c);
  }

  private String result() {
    Expr expr = step.node().epilogue();
    if (expr == null) {
      return "raw";
    }
    return VectorText.write(expr, text, i -> i == 0 ? "raw" : extra(i - 1));
  }

  private String extra(int i) {
    Vectors vectors = added.get(i);
    return vectors == null
        ? "vload16(0, " + extras.get(i) + " + ob * 16)"
        : vectors.load("t" + i, place("row" + i, vectors));
  }
}
