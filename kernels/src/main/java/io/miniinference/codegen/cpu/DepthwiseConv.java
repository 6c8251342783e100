package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.LaneArray;
import io.miniinference.codegen.cpu.lanes.Plane;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorResult;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.lanes.Vectors;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  private static final Template ITEM =
      Template.of(
          "depthwise convolution",
          """
          long item = (long)@globalId + first;
          const int oy = item % $rows; item /= $rows;
          const int ob = item % $blocks; item /= $blocks;
          if (item >= $images) return;
          x += $offset + item * $image + ob * ${block}L;
          w += ob * $weights;
          $starts
          $tiles
          """);

  private static final Template BORDER =
      Template.of(
          "depthwise convolution, tile at a border",
          """
          {
            $body
          }
          """);

  private static final Template INSIDE =
      Template.of(
          "depthwise convolution, tiles inside",
          """
          #pragma unroll 1
          for (int ox = $from; ox < $to; ox += $pixels) {
            $body
          }
          """);

  private static final Template OPEN =
      Template.of(
          "depthwise convolution, tiles of a row of open width",
          """
          #pragma unroll 1
          for (int ox = 0; ox < $outWidth; ox += $pixels) {
            if (ox * $strideX >= $padX && ox + $pixels <= $outWidth && ox * $strideX + $last < $inWidth) {
              $inside
            } else {
              $tested
            }
          }
          """);

  private static final Template ROW =
      Template.of(
          "depthwise convolution, row of taps",
          """
          {
            const int iy = oy * $strideY + $offset;
            if (iy >= 0 && iy < $inHeight) {
              @global const $element* xr = x + iy * ${rowStride}L$column;
              $weights
              $columns
            }
          }
          """);

  private static final Template HEAD =
      Template.of(
          "depthwise convolution, head",
          """
          A work item owns one output row x 16 channels, $pixels pixels at a time in registers (c0, c1, ...).

           input row    x  x  x  x  x  x  ...    one vector each, 16 channels
                        \\_____/                  c0: $taps taps a row
                           \\_____/               c1: as many, a stride further; so a vector is loaded once
                                                 for all pixels that it is a tap of

          x: sixteen channels innermost (NCHW16c), so that channels are lanes. w: [block of 16 channels][ky][kx][lane].
          y: $output.
          Taps on the left and right border are not written; rows above and below are skipped by one test.
          """);

  private final LoweredStep step;
  private final int tile;
  private final KernelText text = new KernelText();
  private final VectorResult result;
  private final Plane plane;
  private final IndexFunction input;
  private final Affine images;
  private final LaneArray lanes;

  /// Whether bytes are multiplied, as floats, which hold their sums.
  private final boolean areBytes;

  private DepthwiseConv(LoweredStep step, Op.Conv op, CpuStrategy.Depthwise strategy) {
    this.step = step;
    this.tile = strategy.pixels();
    this.input = step.inputs().getFirst().index();
    this.result = new VectorResult(step, strategy.epilogue(), text);
    TensorType x = step.node().inputs().getFirst().type();
    this.images = x.dim(0);
    this.lanes = LaneArray.of(step.node().inputs().getFirst());
    this.areBytes = Op.Contraction.isOfBytes(step.node());
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
    text.pointer("x", CType.of(lanes.type()), step.inputs().get(0), false);
    text.pointer("w", CType.F32, step.inputs().get(1), false);
    result.pointers();
    text.head(
            HEAD.with("pixels", tile)
                .with("taps", plane.kernelWidth())
                .with("output", result.about())
                .text())
        .add(
            ITEM.with("rows", plane.outHeight())
                .with("blocks", result.blocks())
                .with("images", IndexText.affine(images))
                .with("offset", IndexText.affine(input.offset()))
                .with("image", IndexText.affine(input.axes().get(0).stride()))
                .with("block", input.axes().get(1).outerStride().asConstant())
                .with("weights", taps() * LANES)
                .with("starts", result.start())
                .with("tiles", allTiles()));
    Affine items = images.times(result.blocks() * plane.outHeight());
    return new KernelText.Written(text, new Launch.Items(items, grain()));
  }

  private int grain() {
    return (int) Math.max(1, FEWEST_FMAS / ((long) taps() * plane.outWidth() + 1));
  }

  private String allTiles() {
    return step.node().output().type().shape().getLast().isOpen() ? openTiles() : knownTiles();
  }

  private String openTiles() {
    return OPEN.with("outWidth", plane.outWidth())
        .with("pixels", tile)
        .with("strideX", plane.strideX())
        .with("padX", plane.padX())
        .with("last", column(tile - 1, plane.kernelWidth() - 1))
        .with("inWidth", plane.inWidth())
        .with("inside", body("ox", Border.NONE, 0, tile))
        .with("tested", body("ox", Border.TESTED, 0, tile))
        .text();
  }

  private String knownTiles() {
    List<String> texts = new ArrayList<>();
    int t = 0;
    while (t < tiles()) {
      int end = endOfInside(t);
      texts.add(end > t ? inside(t, end) : atBorder(t));
      t = Math.max(end, t + 1);
    }
    return String.join("\n", texts);
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

  /* The first tile from `t` on that has a border. */
  private int endOfInside(int t) {
    int end = t;
    while (end < tiles() && isInside(end)) {
      end++;
    }
    return end;
  }

  /* A tile whose borders are known. */
  private String atBorder(int t) {
    String pixel = Integer.toString(t * tile);
    return BORDER.with("body", body(pixel, Border.KNOWN, t * tile, width(t))).text();
  }

  /* Tiles that have no border, in a loop. */
  private String inside(int from, int to) {
    return INSIDE
        .with("from", from * tile)
        .with("to", to * tile)
        .with("pixels", tile)
        .with("body", body("ox", Border.NONE, 0, tile))
        .text();
  }

  /* How the taps of a tile that are outside the row are left out. */
  private enum Border {
    /// There are none.
    NONE,
    /// By the text, which knows the tile's first pixel.
    KNOWN,
    /// By the kernel, as are pixels behind the end.
    TESTED
  }

  /* One tile; `first` is its first output pixel where that is known, else 0. */
  private String body(String start, Border border, int first, int pixels) {
    return String.join(
        "\n",
        lines(pixels, p -> "float16 c" + p + " = 0;"),
        lines(plane.kernelHeight(), ky -> row(ky, start, border, first, pixels)),
        lines(pixels, p -> store(p, start + " + " + p, border)));
  }

  private String store(int p, String pixel, Border border) {
    String isThere =
        border == Border.TESTED ? "if (" + pixel + " < " + plane.outWidth() + ") " : "";
    String sum = areBytes ? "@convert(int16, c" + p + ")" : "c" + p;
    return isThere + result.store(sum, pixel);
  }

  private static String lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n"));
  }

  private String row(int ky, String start, Border border, int first, int pixels) {
    String column = " + %s * %dL".formatted(start, (long) plane.strideX() * plane.pixelStride());
    int width = plane.kernelWidth();
    return ROW.with("element", lanes.stored())
        .with("strideY", plane.strideY())
        .with("offset", ky * plane.dilationY() - plane.padY())
        .with("inHeight", plane.inHeight())
        .with("rowStride", plane.rowStride())
        .with("column", border == Border.KNOWN ? "" : column)
        .with(
            "weights",
            lines(
                width,
                kx -> "const float16 w%d = @load(16, %d, w);".formatted(kx, ky * width + kx)))
        .with("columns", columns(start, border, first, pixels))
        .text();
  }

  /* Each input vector of the tile once, to all pixels that it is a tap of. */
  private String columns(String start, Border border, int first, int pixels) {
    List<String> lines = new ArrayList<>();
    int last = column(first + pixels - 1, plane.kernelWidth() - 1);
    for (int column = column(first, 0); column <= last; column++) {
      String sums = sums(column, first, pixels);
      boolean outside = border == Border.KNOWN && (column < 0 || column >= plane.inWidth());
      if (!outside && !sums.isEmpty()) {
        long offset = (long) column * plane.pixelStride();
        String test = border == Border.TESTED ? test(start, column) : "";
        String vector = lanes.load("xr + " + offset);
        lines.add(test + "{ const float16 v = " + vector + ";" + sums + " }");
      }
    }
    return String.join("\n", lines);
  }

  private String test(String start, int column) {
    String at = "%s * %d + %d".formatted(start, plane.strideX(), column);
    return "if (%s >= 0 && %s < %d) ".formatted(at, at, plane.inWidth());
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
