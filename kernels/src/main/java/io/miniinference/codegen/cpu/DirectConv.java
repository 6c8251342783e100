package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.device.Launch;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Direct convolution, sixteen output channels in the lanes of a vector (kernels.md §2, D1 and D2):
/// a work item is a segment of one output row × one or two such vectors, held in registers. They
/// are stored as they are into the blocked layout, and lane by lane into any other.
///
/// The input may lie in any order, since it is read one scalar at a time. Pixel positions are
/// constants of the text, so that taps on the left and right border are simply not written; rows
/// above and below are skipped by one test. A 1×1 convolution without stride or padding runs over
/// the flattened plane.
final class DirectConv {
  private final LoweredStep step;
  private final CpuStrategy.DirectConv tile;
  private final KernelText text = new KernelText();
  private final List<String> extras = new ArrayList<>();
  private final Map<Integer, Vectors> added = new TreeMap<>();
  private final Vectors result;
  private final Plane plane;
  private final IndexFunction input;
  private final long channels;
  private final int blocks;
  private final Affine images;

  private DirectConv(LoweredStep step, Op.Conv op, CpuStrategy.DirectConv tile) {
    this.step = step;
    this.tile = tile;
    TensorType x = step.node().inputs().getFirst().type();
    this.input = step.inputs().getFirst().index();
    this.channels = x.dim(1).asConstant();
    this.images = x.dim(0);
    this.result = new Vectors("y", step.output().index());
    for (int i = 0; i < tile.epilogue().reads().size(); i++) {
      if (tile.epilogue().reads().get(i) == VectorEpilogue.Read.SAME) {
        added.put(i, new Vectors("e" + (i + 2), step.inputs().get(i + 2).index()));
      }
    }
    this.plane = Plane.of(op.window(), x, step.node().output().type(), input, isFlat());
    long outputs = step.node().output().type().dim(1).asConstant();
    this.blocks = (int) Math.ceilDiv(outputs, lanes());
  }

  static KernelText.Written write(LoweredStep step, Op.Conv op, CpuStrategy.DirectConv tile) {
    return new DirectConv(step, op, tile).write();
  }

  /// Whether result and what the epilogue adds to it can be addressed.
  static boolean canWrite(LoweredStep step, VectorEpilogue epilogue) {
    for (int i = 0; i < epilogue.reads().size(); i++) {
      boolean same = epilogue.reads().get(i) == VectorEpilogue.Read.SAME;
      if (same && !Vectors.suits(step.inputs().get(i + 2).index())) {
        return false;
      }
    }
    return Vectors.suits(step.output().index())
        && CpuChoices.isPlaneOf(step.inputs().getFirst().index());
  }

  /* Whether rows follow each other without gaps wherever results go or are added to. */
  private boolean isFlat() {
    List<Vectors> all = new ArrayList<>(added.values());
    all.add(result);
    TensorType out = step.node().output().type();
    long width = out.dim(out.rank() - 1).asConstant();
    return all.stream().allMatch(v -> v.rowStride() == width * v.pixelStride());
  }

  private int lanes() {
    return tile.blocks() * VectorText.LANES;
  }

  private int tiles() {
    return Math.ceilDiv(plane.outWidth(), tile.pixels());
  }

  private KernelText.Written write() {
    text.pointer("x", CType.F32, step.inputs().get(0), false);
    text.pointer("w", CType.F32, step.inputs().get(1), false);
    for (int i = 2; i < step.inputs().size(); i++) {
      extras.add(text.pointer("e" + i, CType.F32, step.inputs().get(i), false));
    }
    text.pointer("y", CType.F32, step.output(), true);
    decode();
    List<Integer> bordered = new ArrayList<>();
    for (int t = 0; t < tiles(); t++) {
      if (needsOwnText(t)) {
        bordered.add(t);
      }
    }
    for (int t : bordered) {
      text.open((t == bordered.getFirst() ? "" : "else ") + "if (tile == " + t + ")");
      body(Integer.toString(t * tile.pixels()), t * tile.pixels(), width(t));
      text.close();
    }
    if (bordered.size() < tiles()) {
      text.open(bordered.isEmpty() ? "" : "else");
      body("(tile * " + tile.pixels() + ")", -1, tile.pixels());
      text.close();
    }
    Affine items = images.times((long) blocks * plane.outHeight() * tiles());
    return new KernelText.Written(text, new Launch.Items(items, grain()));
  }

  private int grain() {
    long fmas =
        channels * plane.kernelHeight() * plane.kernelWidth() * tile.pixels() * tile.blocks();
    return (int) Math.max(1, 10_000 / (fmas + 1));
  }

  private void decode() {
    text.line("long item = (long)get_global_id(0) + first;");
    text.line("const int tile = item % " + tiles() + "; item /= " + tiles() + ";");
    text.line(
        "const int oy = item % " + plane.outHeight() + "; item /= " + plane.outHeight() + ";");
    text.line("const int ob = item % " + blocks + "; item /= " + blocks + ";");
    text.line("if (item >= " + IndexText.affine(images) + ") return;");
    Axis n = input.axes().get(0);
    text.line(
        "x += "
            + IndexText.affine(input.offset())
            + " + item * "
            + IndexText.affine(n.stride())
            + ";");
    long weights = channels * plane.kernelHeight() * plane.kernelWidth() * lanes();
    text.line("w += ob * " + weights + "L;");
    start("at", result);
    added.forEach((i, vectors) -> start("at" + i, vectors));
  }

  /* Declares the element of the work item's first channel in the row's first pixel. */
  private void start(String name, Vectors vectors) {
    text.line(
        "const long NAME = OFFSET + item * IMAGE + ob * BLOCKL + oy * ROWL;"
            .replace("NAME", name)
            .replace("OFFSET", IndexText.affine(vectors.index().offset()))
            .replace("IMAGE", IndexText.affine(vectors.index().axes().getFirst().stride()))
            .replace("BLOCK", "" + vectors.blockStride() * tile.blocks())
            .replace("ROW", "" + vectors.rowStride()));
  }

  private int width(int t) {
    return Math.min(tile.pixels(), plane.outWidth() - t * tile.pixels());
  }

  private boolean needsOwnText(int t) {
    if (width(t) < tile.pixels()) {
      return true;
    }
    int firstInput = t * tile.pixels() * plane.strideX() - plane.padX();
    int lastInput =
        ((t + 1) * tile.pixels() - 1) * plane.strideX()
            - plane.padX()
            + (plane.kernelWidth() - 1) * plane.dilationX();
    return firstInput < 0 || lastInput >= plane.inWidth();
  }

  /* One tile; `known` is its first output pixel where that decides on borders, else −1. */
  private void body(String start, int known, int pixels) {
    for (int p = 0; p < pixels; p++) {
      for (int b = 0; b < tile.blocks(); b++) {
        text.line("float16 c" + p + "_" + b + " = 0;");
      }
    }
    text.open("for (int ky = 0; ky < " + plane.kernelHeight() + "; ky++)");
    text.line(
        "const int iy = oy * "
            + plane.strideY()
            + " - "
            + plane.padY()
            + " + ky * "
            + plane.dilationY()
            + ";");
    text.line("if (iy < 0 || iy >= " + plane.inHeight() + ") continue;");
    long perRow = channels * plane.kernelWidth() * lanes();
    text.line("global const float* wr = w + ky * " + perRow + "L;");
    text.line(
        "global const float* xr = x + iy * "
            + plane.rowStride()
            + "L"
            + (known < 0
                ? " + " + start + " * " + (long) plane.strideX() * plane.pixelStride() + "L"
                : "")
            + ";");
    channelLoop(known, pixels);
    text.close();
    for (int p = 0; p < pixels; p++) {
      for (int b = 0; b < tile.blocks(); b++) {
        store(start, p, b);
      }
    }
  }

  private void channelLoop(int known, int pixels) {
    Axis c = input.axes().get(1);
    int loops = 1;
    if (c.isBlocked()) {
      text.open("for (int cb = 0; cb < " + c.blocks() + "; cb++)");
      text.line("global const float* xc = xr + cb * " + c.outerStride().asConstant() + "L;");
      String last =
          channels % c.block() == 0
              ? Integer.toString(c.block())
              : "min(" + c.block() + ", " + channels + " - cb * " + c.block() + ")";
      text.open(
          "for (int ci = 0; ci < "
              + last
              + "; ci++, xc += "
              + c.stride().asConstant()
              + ", wr += "
              + plane.kernelWidth() * lanes()
              + ")");
      loops = 2;
    } else {
      text.line("global const float* xc = xr;");
      text.open(
          "for (int ci = 0; ci < "
              + channels
              + "; ci++, xc += "
              + c.stride().asConstant()
              + "L, wr += "
              + plane.kernelWidth() * lanes()
              + ")");
    }
    for (int kx = 0; kx < plane.kernelWidth(); kx++) {
      taps(kx, known, pixels);
    }
    for (int i = 0; i < loops; i++) {
      text.close();
    }
  }

  private void taps(int kx, int known, int pixels) {
    StringBuilder line = new StringBuilder("{");
    for (int b = 0; b < tile.blocks(); b++) {
      line.append(" const float16 w").append(b).append(" = vload16(").append(b).append(", wr + ");
      line.append(kx * lanes()).append(");");
    }
    text.line(line.toString());
    for (int p = 0; p < pixels; p++) {
      int relative = p * plane.strideX() - plane.padX() + kx * plane.dilationX();
      int absolute = known * plane.strideX() + relative;
      if (known >= 0 && (absolute < 0 || absolute >= plane.inWidth())) {
        continue;
      }
      pixel(p, (known >= 0 ? absolute : relative) * plane.pixelStride());
    }
    text.line("}");
  }

  private void pixel(int p, long offset) {
    StringBuilder line = new StringBuilder();
    line.append("  { const float16 v = (float16)(xc[").append(offset).append("]);");
    for (int b = 0; b < tile.blocks(); b++) {
      String acc = "c" + p + "_" + b;
      line.append(' ').append(acc).append(" = fma(v, w").append(b).append(", ").append(acc);
      line.append(");");
    }
    text.line(line.append(" }").toString());
  }

  private void store(String start, int p, int b) {
    String block = "ob * " + tile.blocks() + " + " + b;
    boolean maybeMissing = (long) blocks * tile.blocks() > result.blocks() && b > 0;
    text.open(maybeMissing ? "if (" + block + " < " + result.blocks() + ")" : "");
    String pixel = "(" + start + " + " + p + ")";
    added.forEach((i, v) -> v.prepare(text, "t" + i, place("at" + i, v, b, pixel), block));
    result.store(text, epilogue("c" + p + "_" + b, b, pixel), place("at", result, b, pixel), block);
    text.close();
  }

  private static String place(String at, Vectors vectors, int b, String pixel) {
    return at + " + " + b * vectors.blockStride() + "L + " + pixel + " * " + vectors.pixelStride();
  }

  private String epilogue(String acc, int b, String pixel) {
    Expr expr = step.node().epilogue();
    if (expr == null) {
      return acc;
    }
    return VectorText.write(expr, text, i -> i == 0 ? acc : extra(i - 1, b, pixel));
  }

  private String extra(int i, int b, String pixel) {
    Vectors vectors = added.get(i);
    return vectors == null
        ? "vload16(" + b + ", " + extras.get(i) + " + ob * " + lanes() + ")"
        : vectors.load("t" + i, place("at" + i, vectors, b, pixel));
  }
}
