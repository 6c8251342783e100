package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.ChannelFours;
import io.miniinference.codegen.cpu.lanes.Depth;
import io.miniinference.codegen.cpu.lanes.JoinedGroups;
import io.miniinference.codegen.cpu.lanes.LaneArray;
import io.miniinference.codegen.cpu.lanes.Plane;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.lanes.Vectors;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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
/// whose output channels it owns ([JoinedGroups]). A 1×1 convolution without stride or padding runs
/// over the flattened plane. Of rows of open width a kernel tests where the last tile's taps are.
/// Taps are written one by one, but for long windows, such as those of a sound's spectrum: their
/// text would not fit the processor's cache of instructions.
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
          x += $offset + item * $image$group;
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

  private static final Template CHANNELS =
      Template.of(
          "direct convolution, channels",
          """
          @global const $element* xc = xr;
          for (int ci = 0; ci < $channels; ci++, xc += ${stride}L, wr += $weights) {
            $taps
          }
          """);

  private static final Template BLOCKED_CHANNELS =
      Template.of(
          "direct convolution, blocked channels",
          """
          for (int cb = 0; cb < $blocks; cb++) {
            @global const $element* xc = xr + cb * ${block}L;
            for (int ci = 0; ci < $channels; ci++, xc += $stride, wr += $weights) {
              $taps
            }
          }
          """);

  private static final Template TAP =
      Template.of(
          "direct convolution, tap",
          """
          {$weights
            $pixels
          }
          """);

  private static final Template RUN =
      Template.of(
          "direct convolution, run of taps",
          """
          for (int kx = $from; kx < $to; kx++) {$weights
            $pixels
          }
          """);

  private static final Template STORE =
      Template.of(
          "direct convolution, store",
          """
          $condition{
            $prepare
            $store
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

          x: $layout; here $input.
          w: [block of channels]$planes[ky][input channel][kx][lane]$bytes, read once from front to back.
          y: $output.
          Taps on the left and right border are left out of the text of the tiles that have them; rows above
          and below are skipped by one test for all pixels.
          """);

  /// Taps that follow each other from which on they are a loop.
  private static final int LONG = 32;

  private final LoweredStep step;
  private final CpuStrategy.DirectConv tile;
  private final KernelText text = new KernelText();
  private final List<String> extras = new ArrayList<>();
  private final Map<Integer, Vectors> added = new TreeMap<>();
  private final Vectors result;
  private final Plane plane;
  private final Depth depth;
  private final IndexFunction input;
  private final JoinedGroups joined;

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
    this.joined = JoinedGroups.of(op.groups(), x.dim(1).asConstant(), outputs).orElseThrow();
    this.channels = joined.inputs() / atOnce;
    this.images = x.dim(0);
    this.result = new Vectors("y", step.output().index(), LaneArray.of(step.node().output()));
    for (int i = 0; i < tile.epilogue().reads().size(); i++) {
      if (tile.epilogue().reads().get(i) == VectorEpilogue.Read.SAME) {
        added.put(i, vectors(i + 2));
      }
    }
    this.plane = Plane.of(op.window(), x, step.node().output().type(), input, isFlat());
    this.depth = Depth.of(op.window(), x, step.node().output().type(), input);
    this.isOpen = step.node().output().type().shape().stream().skip(2).anyMatch(Affine::isOpen);
    this.blocks = (int) Math.ceilDiv(outputs, lanes());
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
    for (int i = 0; i < epilogue.reads().size(); i++) {
      boolean same = epilogue.reads().get(i) == VectorEpilogue.Read.SAME;
      if (same && !Vectors.suits(step.inputs().get(i + 2).index())) {
        return false;
      }
    }
    return Vectors.suits(step.output().index())
        && CpuChoices.isPlaneOf(step.inputs().getFirst().index());
  }

  private static CType type(Value value) {
    return CType.of(value.type().element());
  }

  private Vectors vectors(int input) {
    return new Vectors(
        "e" + input,
        step.inputs().get(input).index(),
        LaneArray.of(step.node().inputs().get(input)));
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

  private String tilesText() {
    return isOpen ? IndexText.quotient(plane.outWidth(), tile.pixels()) : Integer.toString(tiles());
  }

  private KernelText.Written write() {
    text.pointer("x", atOnce > 1 ? CType.I32 : CType.F32, step.inputs().get(0), false);
    text.pointer("w", tile.weights().type(), step.inputs().get(1), false);
    for (int i = 2; i < step.inputs().size(); i++) {
      extras.add(
          text.pointer("e" + i, type(step.node().inputs().get(i)), step.inputs().get(i), false));
    }
    text.pointer("y", type(step.node().output()), step.output(), true);
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
                .with("group", group())
                .with("filters", before == 0 ? "" : before + "L + ")
                .with("weights", weights)
                .with("starts", starts())
                .with("bodies", bodies()));
    Affine items = images.times(blocks * depth.out() * plane.outHeight() * tiles());
    return new KernelText.Written(text, new Launch.Items(items, grain()));
  }

  /* Where the channels of the work item's joined group begin. */
  private String group() {
    if (joined.groups() == 1) {
      return "";
    }
    Axis c = input.axes().get(1);
    long stride =
        c.isBlocked()
            ? channels / c.block() * c.outerStride().asConstant()
            : channels * c.stride().asConstant();
    return " + ob / %d * %dL".formatted(joined.outputs() / lanes(), stride);
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
        .with("output", result.about())
        .text();
  }

  /* The element of the work item's first channel in the row's first pixel, in each array. */
  private String starts() {
    StringBuilder lines = new StringBuilder(result.start("at", tile.blocks()));
    added.forEach(
        (i, vectors) -> lines.append('\n').append(vectors.start("at" + i, tile.blocks())));
    return lines.toString();
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
    return "{\n" + body.indent(2) + "}";
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
    return body(start, known, channelLoop(known, pixels), pixels, false);
  }

  /* A tile whose taps may be outside the row, as some of its pixels may. */
  private String testedBody(String start) {
    return body(start, -1, channelLoop(testedTaps(start)), tile.pixels(), true);
  }

  private String testedTaps(String start) {
    int width = plane.kernelWidth();
    return width >= LONG
        ? testedTaps(new Taps(0, width), start)
        : IntStream.range(0, width)
            .mapToObj(kx -> testedTaps(new Taps(kx, kx + 1), start))
            .collect(Collectors.joining("\n"));
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
            eachVector(pixels, (p, b) -> tile.weights().sums() + " c%d_%d = 0;".formatted(p, b)))
        .with("rows", depth.over(rows.text()))
        .with("stores", eachVector(pixels, (p, b) -> store(start, p, b, isTested)))
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

  private String channelLoop(int known, int pixels) {
    return channelLoop(
        runs(known, pixels).stream()
            .map(taps -> taps(taps, known, pixels))
            .collect(Collectors.joining("\n")));
  }

  /* Taps in a row. */
  private record Taps(int from, int to) {
    int number() {
      return to - from;
    }

    boolean isOne() {
      return number() == 1;
    }

    /* `factor` times the tap's place, added to a number. */
    String times(long factor, long added) {
      return isOne() ? Long.toString(added + from * factor) : added + " + kx * " + factor;
    }
  }

  /* All taps, those one by one that are few in a row which the same pixels have. */
  private List<Taps> runs(int known, int pixels) {
    List<Taps> runs = new ArrayList<>();
    int from = 0;
    for (int kx = 1; kx <= plane.kernelWidth(); kx++) {
      boolean ends =
          kx == plane.kernelWidth()
              || !pixelsOf(kx, known, pixels).equals(pixelsOf(from, known, pixels));
      if (ends && kx - from >= LONG) {
        runs.add(new Taps(from, kx));
      } else if (ends) {
        IntStream.range(from, kx).mapToObj(it -> new Taps(it, it + 1)).forEach(runs::add);
      }
      from = ends ? kx : from;
    }
    return runs;
  }

  /* Those whose tap is inside the row. */
  private List<Integer> pixelsOf(int kx, int known, int pixels) {
    return IntStream.range(0, pixels)
        .filter(p -> {
          int absolute = known * plane.strideX() + relative(p) + kx * plane.dilationX();
          return known < 0 || (absolute >= 0 && (isOpen || absolute < plane.inWidth()));
        })
        .boxed()
        .toList();
  }

  /* The first tap of a pixel of the tile. */
  private int relative(int p) {
    return p * plane.strideX() - plane.padX();
  }

  private String channelLoop(String taps) {
    Axis c = input.axes().get(1);
    Template.Filling loop =
        (c.isBlocked() ? BLOCKED_CHANNELS : CHANNELS)
            .with("element", tile.weights().factor())
            .with("stride", c.stride().asConstant())
            .with("weights", plane.kernelWidth() * lanes())
            .with("taps", taps);
    if (!c.isBlocked()) {
      return loop.with("channels", channels).text();
    }
    String left = "min(" + c.block() + ", " + channels + " - cb * " + c.block() + ")";
    return loop.with("blocks", Math.ceilDiv(channels, c.block()))
        .with("block", c.outerStride().asConstant())
        .with("channels", channels % c.block() == 0 ? Integer.toString(c.block()) : left)
        .text();
  }

  private String written(Taps taps, String place, List<String> pixels) {
    String weights =
        IntStream.range(0, tile.blocks())
            .mapToObj(b ->
                " const %s w%d = %s;"
                    .formatted(
                        tile.weights().sums(),
                        b,
                        tile.weights().load(b, "wr + " + taps.times(lanes(), 0))))
            .collect(Collectors.joining());
    Template.Filling text =
        taps.isOne()
            ? TAP.with("weights", place + weights)
            : RUN.with("weights", place + weights).with("from", taps.from()).with("to", taps.to());
    return text.with("pixels", String.join("\n", pixels)).text();
  }

  private String testedTaps(Taps taps, String start) {
    List<String> taken = new ArrayList<>();
    for (int p = 0; p < tile.pixels(); p++) {
      taken.add(
          "if (ix + %1$s >= 0 && ix + %1$s < %2$d) %3$s"
              .formatted(
                  taps.times(plane.dilationX(), relative(p)), plane.inWidth(), pixel(p, taps, 0)));
    }
    return written(taps, " const int ix = " + start + " * " + plane.strideX() + ";", taken);
  }

  private String taps(Taps taps, int known, int pixels) {
    int start = Math.max(known, 0) * plane.strideX();
    List<String> taken =
        pixelsOf(taps.from(), known, pixels).stream().map(p -> pixel(p, taps, start)).toList();
    return written(taps, "", taken);
  }

  private String pixel(int p, Taps taps, int start) {
    long column = plane.pixelStride();
    String offset = taps.times(plane.dilationX() * column, (start + relative(p)) * column);
    boolean areBytes = atOnce > 1;
    String sum =
        areBytes
            ? " c%1$d_%2$d = dot_bytes(c%1$d_%2$d, v, w%2$d);"
            : " c%1$d_%2$d = fma(v, w%2$d, c%1$d_%2$d);";
    String sums =
        IntStream.range(0, tile.blocks())
            .mapToObj(b -> sum.formatted(p, b))
            .collect(Collectors.joining());
    String factor =
        areBytes ? "int v = xc[" + offset + "]" : "float16 v = @splat(16, xc[" + offset + "])";
    return "{ const " + factor + ";" + sums + " }";
  }

  private String store(String start, int p, int b, boolean isTested) {
    String block = "ob * " + tile.blocks() + " + " + b;
    boolean maybeMissing = (long) blocks * tile.blocks() > result.blocks() && b > 0;
    String pixel = "(" + start + " + " + p + ")";
    String prepare =
        added.entrySet().stream()
            .map(each -> prepare(each.getKey(), each.getValue(), b, pixel, block))
            .filter(lines -> !lines.isEmpty())
            .collect(Collectors.joining("\n"));
    VectorText.Written value = epilogue("c" + p + "_" + b, b, pixel);
    String isThere = block + " < " + result.blocks();
    String isPixel = pixel + " < " + plane.outWidth();
    return STORE
        .with("condition", condition(maybeMissing ? isThere : "", isTested ? isPixel : ""))
        .with("prepare", value.after(prepare))
        .with("store", result.store(value.value(), place("at", result, b, pixel), block))
        .text();
  }

  private static String condition(String... conditions) {
    String all =
        Stream.of(conditions).filter(it -> !it.isEmpty()).collect(Collectors.joining(" && "));
    return all.isEmpty() ? "" : "if (" + all + ") ";
  }

  private static String prepare(int i, Vectors vectors, int b, String pixel, String block) {
    return vectors.prepare("t" + i, place("at" + i, vectors, b, pixel), block);
  }

  private static String place(String at, Vectors vectors, int b, String pixel) {
    return at + " + " + b * vectors.blockStride() + "L + " + pixel + " * " + vectors.pixelStride();
  }

  private VectorText.Written epilogue(String acc, int b, String pixel) {
    return VectorText.epilogue(step.node(), acc, i -> extra(i, b, pixel));
  }

  private String extra(int i, int b, String pixel) {
    LaneArray lanes = LaneArray.of(step.node().inputs().get(i + 2));
    IndexFunction index = step.inputs().get(i + 2).index();
    return switch (tile.epilogue().reads().get(i)) {
      case LANES -> "@load(16, " + b + ", " + extras.get(i) + " + ob * " + lanes() + ")";
      case ROW -> lanes.at(extras.get(i), index, "ob * " + lanes() + " + " + b * VectorText.LANES);
      case SINGLE -> lanes.single(extras.get(i), index);
      case SAME -> {
        Vectors vectors = Objects.requireNonNull(added.get(i), "added");
        yield vectors.load("t" + i, place("at" + i, vectors, b, pixel));
      }
    };
  }
}
