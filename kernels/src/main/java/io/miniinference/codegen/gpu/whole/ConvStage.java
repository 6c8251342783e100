package io.miniinference.codegen.gpu.whole;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.planner.Placement;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A convolution of planes, with the pool behind it where there is one. A work item owns some
/// neighbouring channels of an element of the pool, and computes all pixels under its window; or of
/// a few pixels of a line, where there is no pool. It goes over the input channels, holds the
/// weights of one and a line of the image under its pixels at a time, and adds each product to all
/// sums that it is part of.
///
/// All shares of the work add an element's products up in one order.
final class ConvStage implements Stage {
  /// Most weights that a work item holds.
  private static final long MOST_WEIGHTS = 100;

  /// Most sums that a work item has, and pixels of a line without a pool.
  static final long MOST_SUMS = 40;

  private static final int MOST_PIXELS = 8;

  /// Work items that run at once, and that many groups of them at a time.
  private static final int WARP = 32;

  private static final int SCHEDULERS = 4;

  /// What a load costs in products: one unit loads for all schedulers.
  private static final double LOAD = 1.5;

  private static final Template SUMS =
      Template.of(
          "convolution of a work-group",
          """
          const long i1 = part * $channelsOfItem;
          $type acc[$sums];
          @unroll
          for (int i = 0; i < $sums; i++) acc[i] = $zero;
          const int from = (int)($from);
          for (int c = 0; c < $channels; c++) {
            $type w[$taps];
            @unroll
            for (int tap = 0; tap < $taps; tap++) w[tap] = $weight;
            @unroll
            for (int line = 0; line < $lines; line++) {
              float r[$columns];
              @unroll
              for (int i = 0; i < $columns; i++) r[i] = $pixel;
              @unroll
              for (int y = 0; y < $high; y++) {
                const int ky = line - y * $strideY;
                if (ky >= 0 && ky < $kernelHeight) {
                  @unroll
                  for (int kx = 0; kx < $kernelWidth; kx++) {
                    @unroll
                    for (int x = 0; x < $wide; x++) acc[y * $wide + x] = fma($value, w[ky * $kernelWidth + kx], acc[y * $wide + x]);
                  }
                }
              }
            }
          }
          $results
          """);

  private static final Template FIRST =
      Template.of(
          "first pixel of a work item",
          "$offset + i0 * $row + (down * $linesApart - $padY) * $line + (across * $columnsApart - $padX) * $column");

  private static final Template PIXELS =
      Template.of(
          "pixels of a convolution",
          """
          @unroll
          for (int x = 0; x < $wide; x++) {
            const long i2 = down;
            const long i3 = across * $wide + x;
            $lanes
          }
          """);

  private static final Template PIXEL =
      Template.of(
          "pixel of a convolution",
          """
          {
            const float result = acc[x]$lane;
            $store
          }
          """);

  private static final Template POOLED =
      Template.of(
          "pooled element of a convolution",
          """
          {
            $accumulator
            @unroll
            for (int y = 0; y < $high; y++) {
              @unroll
              for (int x = 0; x < $wide; x++) {
                const long i2 = down * $stepY + y;
                const long i3 = across * $stepX + x;
                const float result = acc[y * $wide + x]$lane;
                $take
              }
            }
            $store
          }
          """);

  private final LoweredStep conv;
  private final @Nullable LoweredStep pool;
  private final Window window;
  private final TensorType x;
  private final TensorType y;

  private ConvStage(LoweredStep conv, @Nullable LoweredStep pool) {
    this.conv = conv;
    this.pool = pool;
    window = ((Op.Conv) conv.node().op()).window();
    x = conv.node().inputs().getFirst().type();
    y = conv.node().output().type();
  }

  /// How a work item shares the work.
  ///
  /// @param channels that a work item owns
  /// @param wide pixels of a line
  private record Share(int channels, int wide) {}

  /// Empty where the convolution is none of planes, or of several groups, or its weights are not
  /// known.
  static Optional<ConvStage> of(LoweredStep conv, Optional<LoweredStep> pool) {
    Op.Conv op = (Op.Conv) conv.node().op();
    boolean fits =
        op.window().rank() == 2
            && op.groups() == 1
            && conv.packed().get(1)
            && op.window().dilations().equals(List.of(1, 1))
            && conv.node().operandValues().stream()
                .allMatch(value -> value.type().element() == ElementType.F32);
    return Optional.of(new ConvStage(conv, pool.orElse(null)))
        .filter(
            it -> fits && it.taps() <= MOST_WEIGHTS && it.high() * it.wideOfPool() <= MOST_SUMS);
  }

  @Override
  public LoweredStep step() {
    return pool == null ? conv : pool;
  }

  @Override
  public String title() {
    String own = conv.node().onnxOp();
    return pool == null ? own : own + ", " + pool.node().onnxOp();
  }

  private long taps() {
    return window.kernel().stream().mapToLong(k -> k).reduce(1, (a, b) -> a * b);
  }

  private Window pooled() {
    return ((Op.WindowReduce) step().node().op()).window();
  }

  private int high() {
    return pool == null ? 1 : pooled().kernel().get(0);
  }

  private int wideOfPool() {
    return pool == null ? 1 : pooled().kernel().get(1);
  }

  private long channels() {
    return y.dim(1).asConstant();
  }

  private TensorType result() {
    return step().node().output().type();
  }

  @Override
  public void write(KernelText text, Placement memory) {
    Share share = share(Math.toIntExact(memory.batch()));
    StepText s = new StepText(conv.over(conv.inputs(), step().outputs()), text);
    text.line(Places.each(places(share), "", sums(s, share)));
  }

  /* Neighbours in memory are neighbouring channels of a pixel. */
  private Decoding places(Share share) {
    long across = result().dim(3).asConstant() / (pool == null ? share.wide : 1);
    return new Decoding(
        List.of(
            new Decoding.Coordinate("i0", y.dim(0)),
            new Decoding.Coordinate("down", result().dim(2)),
            new Decoding.Coordinate("across", Affine.of(across)),
            new Decoding.Coordinate("part", Affine.of(channels() / share.channels))));
  }

  /* The share of the least time: of all work items that there are, those that run at once wait for
  the slower of products and loads. */
  private Share share(int rows) {
    return IntStream.of(4, 2, 1)
        .filter(channels -> channels() % channels == 0)
        .boxed()
        .flatMap(channels -> widths().mapToObj(wide -> new Share(channels, (int) wide)))
        .filter(share -> fits(share))
        .min(Comparator.comparingDouble(share -> time(share, rows)))
        .orElseThrow();
  }

  private LongStream widths() {
    return pool == null
        ? LongStream.rangeClosed(1, MOST_PIXELS)
            .filter(wide -> result().dim(3).asConstant() % wide == 0)
        : LongStream.of(wideOfPool());
  }

  private boolean fits(Share share) {
    boolean one = share.channels == 1 && (pool != null || share.wide == 1);
    return one
        || taps() * share.channels <= MOST_WEIGHTS
            && (long) high() * share.wide * share.channels <= MOST_SUMS;
  }

  private double time(Share share, int rows) {
    double items = places(share).count().at(rows);
    double warps = Math.ceil(items / WARP);
    double products = (double) taps() * high() * share.wide * share.channels;
    double loads = taps() + (double) lines() * columns(share);
    double channelsIn = x.dim(1).asConstant();
    return channelsIn * Math.max(Math.ceil(warps / SCHEDULERS) * products, warps * loads * LOAD);
  }

  private int lines() {
    return (high() - 1) * window.strides().get(0) + window.kernel().get(0);
  }

  private int columns(Share share) {
    return (share.wide - 1) * window.strides().get(1) + window.kernel().get(1);
  }

  private Template.Filling sums(StepText s, Share share) {
    IndexFunction image = conv.inputs().getFirst().index();
    String type = share.channels == 1 ? "float" : "float" + share.channels;
    return SUMS.with("channelsOfItem", share.channels)
        .with("type", type)
        .with("sums", high() * share.wide)
        .with("zero", splat(share, "0.0f"))
        .with("from", first(image, share))
        .with("channels", x.dim(1).asConstant())
        .with("taps", taps())
        .with("weight", weight(s, share))
        .with("lines", lines())
        .with("columns", columns(share))
        .with("pixel", pixel(s, image))
        .with("high", high())
        .with("strideY", window.strides().get(0))
        .with("kernelHeight", window.kernel().get(0))
        .with("kernelWidth", window.kernel().get(1))
        .with("wide", share.wide)
        .with("value", splat(share, "r[x * " + window.strides().get(1) + " + kx]"))
        .with("results", pool == null ? pixels(s, share) : pooled(s, share));
  }

  private static String splat(Share share, String value) {
    return share.channels == 1 ? value : "@splat(" + share.channels + ", " + value + ")";
  }

  /* The first pixel under the work item's, in channel 0; along an axis of one index, too, since there
  are zeros around it. */
  private String first(IndexFunction image, Share share) {
    int down = window.strides().get(0) * (pool == null ? 1 : pooled().strides().get(0));
    int across = window.strides().get(1) * (pool == null ? share.wide : pooled().strides().get(1));
    return FIRST
        .with("offset", image.offset().asConstant())
        .with("row", stride(image, 0))
        .with("line", stride(image, 2))
        .with("linesApart", down)
        .with("padY", window.padsBegin().get(0))
        .with("column", stride(image, 3))
        .with("columnsApart", across)
        .with("padX", window.padsBegin().get(1))
        .text();
  }

  private static long stride(IndexFunction image, int axis) {
    return image.axes().get(axis).stride().asConstant();
  }

  private static String pixel(StepText s, IndexFunction image) {
    String place =
        "from + c * %d + line * %d + i * %d"
            .formatted(stride(image, 1), stride(image, 2), stride(image, 3));
    return s.type(0).read(s.pointer(0), place);
  }

  /* Packed by taps, input channels and output channels. */
  private String weight(StepText s, Share share) {
    long padded = Math.ceilDiv(channels(), 4L) * 4;
    String place = "(tap * %d + c) * %d + i1".formatted(x.dim(1).asConstant(), padded);
    return share.channels == 1
        ? s.type(1).read(s.pointer(1), place)
        : "*(@global const float%d*)(%s + %s)".formatted(share.channels, s.pointer(1), place);
  }

  private static String lane(Share share, int lane) {
    return share.channels == 1 ? "" : "." + TiledProduct.PARTS.charAt(lane);
  }

  private static Coordinate channel(int lane) {
    return Coordinate.of(lane == 0 ? "i1" : "(i1 + " + lane + ")");
  }

  private List<Coordinate> at(int lane) {
    return List.of(Coordinate.of("i0"), channel(lane), Coordinate.of("i2"), Coordinate.of("i3"));
  }

  private String pixels(StepText s, Share share) {
    String lanes =
        IntStream.range(0, share.channels)
            .mapToObj(lane ->
                PIXEL
                    .with("lane", lane(share, lane))
                    .with("store", s.stored(epilogue(s, lane), at(lane)))
                    .text())
            .collect(Collectors.joining("\n"));
    return PIXELS.with("wide", share.wide).with("lanes", lanes).text();
  }

  private String epilogue(StepText s, int lane) {
    return s.epilogue("result", ElementType.F32, at(lane));
  }

  private String pooled(StepText s, Share share) {
    return IntStream.range(0, share.channels)
        .mapToObj(lane -> pooled(s, share, lane))
        .collect(Collectors.joining("\n"));
  }

  private String pooled(StepText s, Share share, int lane) {
    boolean max = ((Op.WindowReduce) step().node().op()).kind() == Op.PoolKind.MAX;
    Accumulator best = Accumulator.of(max ? Op.ReduceKind.MAX : Op.ReduceKind.SUM, ElementType.F32);
    String value = max ? "best" : "best / " + high() * share.wide;
    List<Coordinate> to =
        List.of(Coordinate.of("i0"), channel(lane), Coordinate.of("down"), Coordinate.of("across"));
    return POOLED
        .with("accumulator", best.declare("best"))
        .with("high", high())
        .with("wide", share.wide)
        .with("stepY", pooled().strides().get(0))
        .with("stepX", pooled().strides().get(1))
        .with("lane", lane(share, lane))
        .with("take", best.combine("best", epilogue(s, lane)))
        .with("store", s.stored(value, to))
        .text();
  }
}
