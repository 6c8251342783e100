package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.Depth;
import io.miniinference.codegen.cpu.lanes.GroupWindows;
import io.miniinference.codegen.cpu.lanes.Plane;
import io.miniinference.codegen.cpu.lanes.VectorResult;
import io.miniinference.codegen.cpu.lanes.Vectors;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;

/// Transposed convolution over one to three spatial axes: a work item is one output row of one or
/// two vectors of sixteen channels. Pixels of the row that are a stride apart have the same taps,
/// of input pixels side by side, as those of a convolution without stride; so a tile of them is
/// held in registers, and each row of weights is read once for all. Tiles at a border, and the
/// pixels that are left, are four pixels whose taps may be missing. Of one with groups it reads the
/// channels of those groups alone whose output channels it owns ([GroupWindows]).
///
/// The input may lie in any order, since it is read one scalar at a time.
final class DirectConvTranspose {
  /// Pixels of a tile whose taps may be outside the row.
  static final int LEFT = 4;

  /// Multiplications and additions that are worth a claim of their own.
  private static final long GRAIN = 10_000;

  private static final Template KERNEL =
      Template.of(
          "direct transposed convolution",
          """
          long item = (long)@globalId + first;
          const int oy = item % $rows; item /= $rows;$depth
          const int ob = item % $blocks; item /= $blocks;
          if (item >= $images) return;
          x += $offset + item * $image$window;
          w += ob * ${weights}L;
          $starts
          for (int px = 0; px < $strideX && px < $columns; px++) {
            const int count = ($columns - px + $strideX - 1) / $strideX;
            int least = 0;
            int most = 0;
            for (int kx = 0; kx < $kernelWidth; kx++) {
              const int qx = px + $padX - kx * $dilationX;
              if (qx % $strideX != 0) continue;
              least = min(least, qx / $strideX);
              most = max(most, qx / $strideX);
            }
            for (int t = 0; t < count;) {
              if (t + least >= 0 && t + $pixels <= min(count, $inWidth - most)) {
                $whole
                t += $pixels;
              } else {
                $some
                t += $left;
              }
            }
          }
          """);

  private static final Template TILE =
      Template.of(
          "direct transposed convolution, tile",
          """
          $zeros
          $taps
          $stores
          """);

  private static final Template ROWS =
      Template.of(
          "direct transposed convolution, rows of taps",
          """
          for (int ky = 0; ky < $kernelHeight; ky++) {
            const int qy = oy + $padY - ky * $dilationY;
            if (qy < 0 || qy % $strideY != 0 || qy / $strideY >= $inHeight) continue;
            for (int kx = 0; kx < $kernelWidth; kx++) {
              const int qx = px + $padX - kx * $dilationX;
              if (qx % $strideX != 0) continue;
              const int ix = t + qx / $strideX;
              @global const float* p = x$plane + qy / $strideY * ${rowStride}L;
              @global const float* wt = w + ($row * $kernelWidth + kx) * ${tapWeights}L;
              $places
              $channels
            }
          }
          """);

  private static final Template CHANNELS =
      Template.of(
          "direct transposed convolution, channels",
          """
          for (int c = 0; c < $channels; c++, p += ${stride}L, wt += $lanes) {
            $products
          }
          """);

  private static final Template BLOCKED_CHANNELS =
      Template.of(
          "direct transposed convolution, blocked channels",
          """
          for (int cb = 0; cb < $blocks; cb++, p += ${left}L) {
            for (int c = 0; c < $channels; c++, p += ${stride}L, wt += $lanes) {
              $products
            }
          }
          """);

  private static final Template HEAD =
      Template.of(
          "direct transposed convolution, head",
          """
          A work item owns one output row x $lanes output channels. Pixels that are a stride ($strideX) apart have the same
          taps, of input pixels side by side: $pixels of them are a tile in registers,

                          channels, 16 a vector
           pixel 0        c0_0 $second += x (one float, broadcast) * w0$w1 (one packed row of weights)
           pixel $strideX        c1_0 $third for each tap that reaches them and each input channel
           ...

          and where taps are outside the row, or few pixels are left, $left, with 0 for what is missing.
          x: $input. w: [block of channels]$planes[ky][kx][input channel][lane], read in order.
          y: $output.
          """);

  private final LoweredStep step;
  private final CpuStrategy.DirectConvTranspose tile;
  private final KernelText text = new KernelText();
  private final VectorResult result;
  private final IndexFunction input;
  private final Plane plane;
  private final Depth depth;
  private final GroupWindows windows;
  private final long blocks;

  private DirectConvTranspose(
      LoweredStep step, Op.ConvTranspose op, CpuStrategy.DirectConvTranspose tile) {
    this.step = step;
    this.tile = tile;
    this.input = step.inputs().getFirst().index();
    this.windows = GroupWindows.of(step.node(), op.groups(), tile.lanes()).orElseThrow();
    this.result = new VectorResult(step, tile.epilogue(), text, tile.blocks());
    TensorType in = step.node().inputs().getFirst().type();
    TensorType out = step.node().output().type();
    this.plane = Plane.of(op.window(), in, out, input, false);
    this.depth = Depth.of(op.window(), in, out, input);
    long outputs = out.dim(1).asConstant();
    this.blocks = Math.ceilDiv(outputs, tile.lanes());
  }

  static KernelText.Written write(
      LoweredStep step, Op.ConvTranspose op, CpuStrategy.DirectConvTranspose tile) {
    return new DirectConvTranspose(step, op, tile).write();
  }

  private KernelText.Written write() {
    text.pointer("x", CType.F32, step.inputs().get(0), false);
    text.pointer("w", CType.F32, step.inputs().get(1), false);
    result.pointers();
    text.head(head()).add(body());
    Affine images = step.node().output().type().dim(0);
    return new KernelText.Written(
        text, new Launch.Items(images.times(blocks * depth.out() * plane.outHeight()), grain()));
  }

  private int grain() {
    long taps = Math.ceilDiv(taps(), depth.step() * plane.strideY() * plane.strideX());
    return (int) Math.max(1, GRAIN / (taps * windows.width() * plane.outWidth() * tile.blocks()));
  }

  private long taps() {
    return (long) depth.taps() * plane.kernelHeight() * plane.kernelWidth();
  }

  private String head() {
    boolean two = tile.blocks() > 1;
    return HEAD.with("lanes", tile.lanes())
        .with("strideX", plane.strideX())
        .with("pixels", tile.pixels())
        .with("second", two ? "c0_1" : "")
        .with("third", two ? "c1_1" : "")
        .with("w1", two ? ", w1" : "")
        .with("left", LEFT)
        .with("planes", depth.isThere() ? "[kz]" : "")
        .with("input", new Vectors("x", input).about())
        .with("output", result.about())
        .text();
  }

  private Template.Filling body() {
    Axis axis = input.axes().get(1);
    return KERNEL
        .with("rows", plane.outHeight())
        .with("depth", depth.place())
        .with("columns", plane.outWidth())
        .with("blocks", blocks)
        .with("images", IndexText.affine(step.node().output().type().dim(0)))
        .with("offset", IndexText.affine(input.offset()))
        .with("image", IndexText.affine(input.axes().getFirst().stride()))
        .with("window", windows.startText("ob", axis))
        .with("weights", taps() * windows.width() * tile.lanes())
        .with("starts", result.start())
        .with("strideX", plane.strideX())
        .with("kernelWidth", plane.kernelWidth())
        .with("padX", plane.padX())
        .with("dilationX", plane.dilationX())
        .with("inWidth", plane.inWidth())
        .with("pixels", tile.pixels())
        .with("left", LEFT)
        .with("whole", tile(tile.pixels(), false))
        .with("some", tile(LEFT, true));
  }

  /* Of pixels whose taps are all there, or some of which may be missing. */
  private String tile(int pixels, boolean isTested) {
    List<String> zeros = new ArrayList<>();
    List<String> stores = new ArrayList<>();
    for (int p = 0; p < pixels; p++) {
      for (int b = 0; b < tile.blocks(); b++) {
        zeros.add("float16 c" + p + "_" + b + " = 0;");
        stores.add(store(p, b, isTested));
      }
    }
    return TILE.with("zeros", String.join("\n", zeros))
        .with("taps", depth.overTransposed(rows(pixels, isTested)))
        .with("stores", String.join("\n", stores))
        .text();
  }

  private String rows(int pixels, boolean isTested) {
    String row = depth.isThere() ? "(kz * " + plane.kernelHeight() + " + ky)" : "ky";
    return ROWS.with("kernelHeight", plane.kernelHeight())
        .with("kernelWidth", plane.kernelWidth())
        .with("padY", plane.padY())
        .with("padX", plane.padX())
        .with("dilationY", plane.dilationY())
        .with("dilationX", plane.dilationX())
        .with("strideY", plane.strideY())
        .with("strideX", plane.strideX())
        .with("inHeight", plane.inHeight())
        .with("plane", depth.offset())
        .with("rowStride", plane.rowStride())
        .with("row", row)
        .with("tapWeights", windows.width() * tile.lanes())
        .with("places", places(pixels, isTested))
        .with("channels", channels(products(pixels, isTested)))
        .text();
  }

  /* Where the tile's pixels are read: side by side, or each where it is, and at the border if it is
  nowhere. */
  private String places(int pixels, boolean isTested) {
    if (!isTested) {
      return "p += ix * " + plane.pixelStride() + "L;";
    }
    List<String> places = new ArrayList<>();
    for (int p = 0; p < pixels; p++) {
      String x = "ix + " + p;
      String last = Integer.toString(plane.inWidth() - 1);
      places.add("const int in%d = %s >= 0 && %s <= %s;".formatted(p, x, x, last));
      places.add(
          "const long at%d = min(max(%s, 0), %s) * %dL;"
              .formatted(p, x, last, plane.pixelStride()));
    }
    return String.join("\n", places);
  }

  private String channels(String products) {
    Axis axis = input.axes().get(1);
    Template.Filling loop =
        (axis.isBlocked() ? BLOCKED_CHANNELS : CHANNELS)
            .with("stride", axis.stride().asConstant())
            .with("lanes", tile.lanes())
            .with("products", products);
    int channels = windows.width();
    if (!axis.isBlocked()) {
      return loop.with("channels", channels).text();
    }
    long block = axis.block();
    String left = "min(" + block + ", " + channels + " - cb * " + block + ")";
    return loop.with("blocks", Math.ceilDiv(channels, block))
        .with("channels", channels % block == 0 ? Long.toString(block) : left)
        .with("left", axis.outerStride().asConstant() - block * axis.stride().asConstant())
        .text();
  }

  private String products(int pixels, boolean isTested) {
    List<String> lines = new ArrayList<>();
    for (int b = 0; b < tile.blocks(); b++) {
      lines.add("const float16 w%d = @load(16, 0, wt + %d);".formatted(b, b * 16));
    }
    for (int p = 0; p < pixels; p++) {
      String at = isTested ? "in%1$d ? p[at%1$d] : 0.0f" : "p[" + p * plane.pixelStride() + "]";
      StringBuilder line = new StringBuilder("{ const float16 v = @splat(16, ");
      line.append(at.formatted(p)).append(");");
      for (int b = 0; b < tile.blocks(); b++) {
        line.append(" c%1$d_%2$d = fma(v, w%2$d, c%1$d_%2$d);".formatted(p, b));
      }
      lines.add(line.append(" }").toString());
    }
    return String.join("\n", lines);
  }

  private String store(int p, int b, boolean isTested) {
    List<String> conditions = new ArrayList<>();
    if (isTested && p > 0) {
      conditions.add("t + " + p + " < count");
    }
    if (b > 0 && blocks * tile.blocks() > result.blocks()) {
      conditions.add(result.number(b) + " < " + result.blocks());
    }
    String pixel = "px + (t + " + p + ") * " + plane.strideX();
    String store = result.store("c" + p + "_" + b, pixel, b);
    return conditions.isEmpty()
        ? store
        : "if (" + String.join(" && ", conditions) + ") " + store.stripTrailing();
  }
}
