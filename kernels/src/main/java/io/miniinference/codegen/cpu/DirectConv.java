package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.ChannelFours;
import io.miniinference.codegen.cpu.lanes.ChannelLanes;
import io.miniinference.codegen.cpu.lanes.Depth;
import io.miniinference.codegen.cpu.lanes.GroupWindows;
import io.miniinference.codegen.cpu.lanes.Plane;
import io.miniinference.codegen.cpu.lanes.TapProducts;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Direct convolution, sixteen output channels in the lanes of a vector (Georganas et al., "Anatomy
/// of High-Performance Deep Learning Convolutions on SIMD Architectures", 2018): a work item is a
/// segment of one output row × one or two such vectors, held in registers. They are stored as they
/// are into the blocked layout, and lane by lane into any other.
///
/// The input may lie in any order, since it is read one scalar at a time. Pixel positions are
/// constants of the text, so that taps on the left and right border are simply not written; rows
/// above and below are skipped by one test, as are planes in front and behind where there are three
/// spatial axes. Of a convolution with groups a work item reads the channels of those groups alone
/// whose output channels it owns ([GroupWindows]). A 1×1 convolution without stride or padding runs
/// over the flattened plane. Of rows of open width a kernel tests where the last tile's taps are.
final class DirectConv {
  private static final Template ITEM =
      Template.of(
          "direct convolution, work item",
          """
          long item = (long)@globalId + first;
          const int tile = item % $tiles; item /= $tiles;
          const int oy = item % $rows; item /= $rows;$depth
          const int ob = item % $blocks; item /= $blocks;
          if (item >= $images) return;
          x += $offset + item * $image$window;
          w += ${filters}ob * ${weights}L;
          $starts
          $bodies
          """);

  private static final Template BODY =
      Template.of(
          "direct convolution, tile",
          """
          $zeros
          $rows
          $stores
          """);

  private static final Template ROWS =
      Template.of(
          "direct convolution, rows of taps",
          """
          for (int ky = 0; ky < $kernelHeight; ky++) {
            const int iy = oy * $strideY - $padY + ky * $dilationY;
            if (iy < 0 || iy >= $inHeight) continue;
            @global const $weight* wr = w + $tap * ${weights}L;
            @global const $element* xr = x$plane + iy * ${rowStride}L$column;
            $channels
          }
          """);

  private static final Template BRACED =
      Template.of(
          "direct convolution, one case",
          """
          {
            $body
          }
          """);

  private static final Template HEAD =
      Template.of(
          "direct convolution, head",
          """
          A work item owns $pixels pixels of an output row x $lanes output channels, all in registers:

                          channels, 16 a vector
                         +------+$frame
           pixel 0       | c0_0 | $second  += x ($factor, broadcast) * w0$w1 (one packed row of weights)
           pixel 1       | c1_0 | $third  for each tap and input channel
           ...           | ...  | $dots
                         +------+$frame

          x: $layout; here $input$ahead.
          w: [block of channels]$planes[ky][input channel][kx][lane]$bytes, read once from front to back.
          y: $output.
          Taps on the left and right border are left out of the text of the tiles that have them; rows above
          and below are skipped by one test for all pixels.
          """);

  /// What stands for the number of a pixel; no kernel text has its first character.
  private static final String PIXEL = "$pixel";

  private final LoweredStep step;
  private final CpuStrategy.DirectConv tile;
  private final KernelText text = new KernelText();
  private final VectorResult result;
  private final Plane plane;
  private final TapProducts products;
  private final Depth depth;
  private final IndexFunction input;
  private final GroupWindows windows;

  /// Channels that are read as one element.
  private final int atOnce;

  /// Elements of a pixel that a work item reads.
  private final long channels;

  private final int blocks;
  private final Affine images;

  /// Whether the width of rows is another in another request.
  private final boolean isOpen;

  /// Elements ahead of the filters in their array.
  private final long before;

  private DirectConv(LoweredStep step, Op.Conv op, CpuStrategy.DirectConv tile, long before) {
    this.step = step;
    this.before = before;
    this.tile = tile;
    TensorType x = step.node().inputs().getFirst().type();
    this.atOnce = tile.weights().atOnce();
    this.input = ChannelFours.elements(step.inputs().getFirst().index(), atOnce);
    long outputs = step.node().output().type().dim(1).asConstant();
    this.windows = GroupWindows.of(step.node(), op.groups(), lanes()).orElseThrow();
    this.channels = windows.width() / atOnce;
    this.images = x.dim(0);
    this.result = new VectorResult(step, tile.epilogue(), text, tile.blocks());
    this.plane = Plane.of(op.window(), x, step.node().output().type(), input, isFlat());
    this.depth = Depth.of(op.window(), x, step.node().output().type(), input);
    this.isOpen = step.node().output().type().shape().stream().skip(2).anyMatch(Affine::isOpen);
    this.blocks = (int) Math.ceilDiv(outputs, lanes());
    this.products =
        new TapProducts(
            plane,
            tile.pixels(),
            tile.blocks(),
            tile.weights(),
            input.axes().get(1),
            channels,
            isOpen);
  }

  static KernelText.Written write(LoweredStep step, Op.Conv op, CpuStrategy.DirectConv tile) {
    return write(step, op, tile, 0);
  }

  /// @param before elements ahead of the filters in their array
  static KernelText.Written write(
      LoweredStep step, Op.Conv op, CpuStrategy.DirectConv tile, long before) {
    return new DirectConv(step, op, tile, before).write();
  }

  /// Whether result and what the epilogue adds to it can be addressed.
  static boolean canWrite(LoweredStep step, VectorEpilogue epilogue) {
    if (Op.Contraction.isOfBytes(step.node())
        && !ChannelFours.areIn(step.inputs().getFirst().index())) {
      return false;
    }
    return epilogue.same(step).allMatch(Vectors::suits)
        && Vectors.suits(step.output().index())
        && ChannelLanes.isPlane(step.inputs().getFirst().index());
  }

  /* Wherever results go or are added to. */
  private boolean isFlat() {
    return Vectors.isFlat(step.output().index())
        && tile.epilogue().same(step).allMatch(Vectors::isFlat);
  }

  private int lanes() {
    return tile.blocks() * VectorText.LANES;
  }

  private int tiles() {
    return Math.ceilDiv(plane.outWidth(), tile.pixels());
  }

  private String tilesText() {
    return isOpen ? IndexText.quotient(plane.outWidth(), tile.pixels()) : Integer.toString(tiles());
  }

  private KernelText.Written write() {
    text.pointer("x", atOnce > 1 ? CType.I32 : CType.F32, step.inputs().get(0), false);
    text.pointer("w", tile.weights().type(), step.inputs().get(1), false);
    result.pointers();
    long weights = channels * taps() * lanes();
    text.head(head())
        .add(
            ITEM.with("tiles", tilesText())
                .with("rows", plane.outHeight())
                .with("depth", depth.place())
                .with("blocks", blocks)
                .with("images", IndexText.affine(images))
                .with("offset", IndexText.affine(input.offset()))
                .with("image", IndexText.affine(input.axes().get(0).stride()))
                .with("window", windows.startText("ob", input.axes().get(1)))
                .with("filters", before == 0 ? "" : before + "L + ")
                .with("weights", weights)
                .with("starts", result.start())
                .with("bodies", bodies()));
    Affine items = images.times(blocks * depth.out() * plane.outHeight() * tiles());
    return new KernelText.Written(text, new Launch.Items(items, grain()));
  }

  private long taps() {
    return (long) depth.taps() * plane.kernelHeight() * plane.kernelWidth();
  }

  private int grain() {
    long fmas = channels * taps() * tile.pixels() * tile.blocks();
    return (int) Math.max(1, 10_000 / (fmas + 1));
  }

  private String head() {
    boolean two = tile.blocks() > 1;
    return HEAD.with("pixels", "up to " + tile.pixels())
        .with("lanes", lanes())
        .with("frame", two ? "------+" : "")
        .with("second", two ? "c0_1 |" : "")
        .with("third", two ? "c1_1 |" : "")
        .with("dots", two ? "     |" : "")
        .with("w1", two ? ", w1" : "")
        .with("planes", depth.isThere() ? "[kz]" : "")
        .with("factor", atOnce > 1 ? "four bytes" : "one float")
        .with(
            "layout",
            atOnce > 1 ? "four channels of a pixel at once" : "any layout, read float by float")
        .with("bytes", atOnce > 1 ? "[4 channels]" : "")
        .with("input", new Vectors("x", step.inputs().getFirst().index()).about())
        .with("ahead", products.asksAhead() ? ", asked for two blocks ahead" : "")
        .with("output", result.about())
        .text();
  }

  /* One text for all tiles inside the plane, and one for each at its border. */
  private String bodies() {
    return isOpen ? openBodies() : knownBodies();
  }

  /* The first tile, tiles inside, and one whose taps are tested each. */
  private String openBodies() {
    int pixels = tile.pixels();
    String start = "(tile * " + pixels + ")";
    List<String> cases = new ArrayList<>();
    if (plane.padX() > 0) {
      String isFirst = "tile == 0 && " + isWhole("0");
      cases.add("if (" + isFirst + ") " + braced(body("0", 0, pixels)));
    }
    String isInside = start + " * " + plane.strideX() + " >= " + plane.padX();
    cases.add("if (" + isInside + " && " + isWhole(start) + ") " + braced(body(start, -1, pixels)));
    cases.add(braced(testedBody(start)));
    return String.join("\nelse ", cases);
  }

  /* Whether a tile has all of its pixels, and no tap right of the input. */
  private String isWhole(String start) {
    int last =
        (tile.pixels() - 1) * plane.strideX()
            - plane.padX()
            + (plane.kernelWidth() - 1) * plane.dilationX();
    return "%s + %d <= %d && %s * %d + %d < %d"
        .formatted(
            start, tile.pixels(), plane.outWidth(), start, plane.strideX(), last, plane.inWidth());
  }

  private String knownBodies() {
    List<String> cases = new ArrayList<>();
    for (int t = 0; t < tiles(); t++) {
      if (needsOwnText(t)) {
        int pixel = t * tile.pixels();
        String body = body(Integer.toString(pixel), pixel, width(t));
        cases.add("if (tile == " + t + ") " + braced(body));
      }
    }
    if (cases.size() < tiles()) {
      cases.add(braced(body("(tile * " + tile.pixels() + ")", -1, tile.pixels())));
    }
    return String.join("\nelse ", cases);
  }

  private static String braced(String body) {
    return BRACED.with("body", body).text();
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
  private String body(String start, int known, int pixels) {
    return body(start, known, products.of(known, pixels), pixels, false);
  }

  /* A tile whose taps may be outside the row, as some of its pixels may. */
  private String testedBody(String start) {
    return body(start, -1, products.tested(start), tile.pixels(), true);
  }

  private String body(String start, int known, String loop, int pixels, boolean isTested) {
    String column = " + " + start + " * " + (long) plane.strideX() * plane.pixelStride() + "L";
    Template.Filling rows =
        ROWS.with("kernelHeight", plane.kernelHeight())
            .with("strideY", plane.strideY())
            .with("padY", plane.padY())
            .with("dilationY", plane.dilationY())
            .with("inHeight", plane.inHeight())
            .with("tap", depth.isThere() ? "(kz * " + plane.kernelHeight() + " + ky)" : "ky")
            .with("element", tile.weights().factor())
            .with("weight", tile.weights().type().stored())
            .with("weights", channels * plane.kernelWidth() * lanes())
            .with("plane", depth.offset())
            .with("rowStride", plane.rowStride())
            .with("column", known < 0 ? column : "")
            .with("channels", loop);
    return BODY.with(
            "zeros",
            eachVector(pixels, (p, b) -> tile.weights().sums() + " c" + p + "_" + b + " = 0;"))
        .with("rows", depth.over(rows.text()))
        .with("stores", stores(start, pixels, isTested))
        .text();
  }

  private interface VectorLines {
    String of(int pixel, int block);
  }

  private String eachVector(int pixels, VectorLines lines) {
    List<String> all = new ArrayList<>();
    for (int p = 0; p < pixels; p++) {
      for (int b = 0; b < tile.blocks(); b++) {
        all.add(lines.of(p, b));
      }
    }
    return String.join("\n", all);
  }

  /* Those of a pixel are written once, with a word in place of its number. */
  private String stores(String start, int pixels, boolean isTested) {
    List<String> vectors =
        IntStream.range(0, tile.blocks()).mapToObj(b -> store(start, b, isTested)).toList();
    return eachVector(pixels, (p, b) -> vectors.get(b).replace(PIXEL, Integer.toString(p)));
  }

  private String store(String start, int b, boolean isTested) {
    boolean maybeMissing = (long) blocks * tile.blocks() > result.blocks() && b > 0;
    String pixel = start + " + " + PIXEL;
    String isThere = result.number(b) + " < " + result.blocks();
    String isPixel = pixel + " < " + plane.outWidth();
    return condition(maybeMissing ? isThere : "", isTested ? isPixel : "")
        + result.store("c" + PIXEL + "_" + b, pixel, b);
  }

  private static String condition(String... conditions) {
    String all =
        Stream.of(conditions).filter(it -> !it.isEmpty()).collect(Collectors.joining(" && "));
    return all.isEmpty() ? "" : "if (" + all + ") ";
  }
}
