package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;

/// Depthwise convolution, each channel with a filter of its own: sixteen channels in the lanes of a
/// vector, in input and output alike, so that a tap is one vector `fma`.
///
/// A work item is one output row of one block of channels. It goes along the row in tiles of pixels
/// that are held in registers; within a tile each input vector is loaded once and added to all
/// pixels whose window it lies in. Taps of the left and right border are not written, rows above and
/// below are skipped by one test.
///
///     input row   . . x x x x x x x x . .      one vector each, 16 channels
///                     └─┬─┘ │ │
///     3 taps            c0  c1 c2 …            registers of a tile
final class DepthwiseConv {
  private static final int LANES = VectorText.LANES;

  /// Multiply-adds of vectors that are worth a work item of their own.
  private static final long FEWEST_FMAS = 10_000;

  private final LoweredStep step;
  private final int tile;
  private final KernelText text = new KernelText();
  private final VectorResult result;
  private final Plane plane;
  private final IndexFunction input;
  private final Affine images;

  private DepthwiseConv(LoweredStep step, Op.Conv op, CpuStrategy.Depthwise strategy) {
    this.step = step;
    this.tile = strategy.pixels();
    this.input = step.inputs().getFirst().index();
    this.result = new VectorResult(step, strategy.epilogue(), text);
    TensorType x = step.node().inputs().getFirst().type();
    this.images = x.dim(0);
    this.plane = Plane.of(op.window(), x, step.node().output().type(), input, false);
  }

  static KernelText.Written write(LoweredStep step, Op.Conv op, CpuStrategy.Depthwise strategy) {
    return new DepthwiseConv(step, op, strategy).write();
  }

  /// Whether the input has sixteen channels in a vector, and the result can be addressed.
  static boolean canWrite(LoweredStep step, VectorEpilogue epilogue) {
    IndexFunction x = step.inputs().getFirst().index();
    return DirectConv.canWrite(step, epilogue)
        && Vectors.suits(x)
        && x.axes().get(1).isBlocked()
        && x.axes().get(1).stride().equals(Affine.ONE);
  }

  private int taps() {
    return plane.kernelHeight() * plane.kernelWidth();
  }

  private KernelText.Written write() {
    text.pointer("x", CType.F32, step.inputs().get(0), false);
    text.pointer("w", CType.F32, step.inputs().get(1), false);
    result.pointers();
    decode();
    int next = 0;
    while (next < tiles()) {
      next = isInside(next) ? inside(next) : atBorder(next);
    }
    Affine items = images.times(result.blocks() * plane.outHeight());
    return new KernelText.Written(text, new Launch.Items(items, grain()));
  }

  private int grain() {
    return (int) Math.max(1, FEWEST_FMAS / ((long) taps() * plane.outWidth() + 1));
  }

  private void decode() {
    text.line("long item = (long)get_global_id(0) + first;");
    text.line("const int oy = item %% %1$d; item /= %1$d;".formatted(plane.outHeight()));
    text.line("const int ob = item %% %1$d; item /= %1$d;".formatted(result.blocks()));
    text.line("if (item >= " + IndexText.affine(images) + ") return;");
    text.line(
        "x += %s + item * %s + ob * %dL;"
            .formatted(
                IndexText.affine(input.offset()),
                IndexText.affine(input.axes().get(0).stride()),
                input.axes().get(1).outerStride().asConstant()));
    text.line("w += ob * " + taps() * LANES + ";");
    result.start();
  }

  private int tiles() {
    return Math.ceilDiv(plane.outWidth(), tile);
  }

  private int width(int t) {
    return Math.min(tile, plane.outWidth() - t * tile);
  }

  /* Whole, and with all of its taps inside the row. */
  private boolean isInside(int t) {
    return width(t) == tile
        && column(t * tile, 0) >= 0
        && column(t * tile + tile - 1, plane.kernelWidth() - 1) < plane.inWidth();
  }

  private int column(int pixel, int kx) {
    return pixel * plane.strideX() - plane.padX() + kx * plane.dilationX();
  }

  /* A tile whose borders are known; returns the next one. */
  private int atBorder(int t) {
    text.open("");
    body(Integer.toString(t * tile), t * tile, width(t));
    text.close();
    return t + 1;
  }

  /* All tiles from `t` on that have no border, in a loop; returns the next one. */
  private int inside(int t) {
    int end = t;
    while (end < tiles() && isInside(end)) {
      end++;
    }
    text.line("#pragma unroll 1");
    text.open("for (int ox = %d; ox < %d; ox += %d)".formatted(t * tile, end * tile, tile));
    body("ox", -1, tile);
    text.close();
    return end;
  }

  /* One tile; `known` is its first output pixel where that decides on borders, else −1. */
  private void body(String start, int known, int pixels) {
    for (int p = 0; p < pixels; p++) {
      text.line("float16 c" + p + " = 0;");
    }
    for (int ky = 0; ky < plane.kernelHeight(); ky++) {
      row(ky, start, known, pixels);
    }
    for (int p = 0; p < pixels; p++) {
      result.store("c" + p, start + " + " + p);
    }
  }

  private void row(int ky, String start, int known, int pixels) {
    text.open("");
    text.line(
        "const int iy = oy * %d + %d;"
            .formatted(plane.strideY(), ky * plane.dilationY() - plane.padY()));
    text.open("if (iy >= 0 && iy < " + plane.inHeight() + ")");
    String column =
        known >= 0
            ? ""
            : " + %s * %dL".formatted(start, (long) plane.strideX() * plane.pixelStride());
    text.line("global const float* xr = x + iy * " + plane.rowStride() + "L" + column + ";");
    for (int kx = 0; kx < plane.kernelWidth(); kx++) {
      text.line("const float16 w%d = vload16(%d, w);".formatted(kx, ky * plane.kernelWidth() + kx));
    }
    columns(Math.max(known, 0), known >= 0, pixels);
    text.close().close();
  }

  /* Each input vector of the tile once, to all pixels that it is a tap of. */
  private void columns(int first, boolean bordered, int pixels) {
    int last = column(first + pixels - 1, plane.kernelWidth() - 1);
    for (int column = column(first, 0); column <= last; column++) {
      String sums = sums(column, first, pixels);
      boolean outside = bordered && (column < 0 || column >= plane.inWidth());
      if (!outside && !sums.isEmpty()) {
        text.line(
            "{ const float16 v = vload16(0, xr + %d);%s }"
                .formatted((long) column * plane.pixelStride(), sums));
      }
    }
  }

  private String sums(int column, int first, int pixels) {
    StringBuilder sums = new StringBuilder();
    for (int p = 0; p < pixels; p++) {
      int along = column - column(first + p, 0);
      if (along >= 0
          && along % plane.dilationX() == 0
          && along / plane.dilationX() < plane.kernelWidth()) {
        int kx = along / plane.dilationX();
        sums.append(" c%1$d = fma(v, w%2$d, c%1$d);".formatted(p, kx));
      }
    }
    return sums.toString();
  }
}
