package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Pooling of `f32` images of one to three axes in blocked layout, sixteen channels at a time: a
/// work item is one output row of one block of channels, and of one axis an image is a row.
public final class BlockedPool {
  private static final Template KERNEL =
      Template.of(
          "blocked pool",
          """
          long item = (long)@globalId + first;
          const int oy = item % $rows; item /= $rows;$depth
          const int ob = item % $blocks; item /= $blocks;
          if (item >= $images) return;
          x += $x;
          $at
          $added
          for (int ox = 0; ox < $columns; ox++) {
            const int left = ox * $strideX - $padX;
            float16 acc = $start;
            int count = 0;
            int isEdge = left < 0 || left + $lastTap >= $inWidth;
            if (!isEdge) {
              $quick
            }
            if (isEdge) {
              $taps
            }
            $divide
            $prepare
            $store
          }
          """);

  private static final Template TAPS =
      Template.of(
          "blocked pool, taps",
          """
          for (int ky = 0; ky < $kernelHeight; ky++) {
            const int iy = oy * $strideY - $padY + ky * $dilationY;
            if (iy < 0 || iy >= $inHeight) continue;
            for (int kx = 0; kx < $kernelWidth; kx++) {
              const int ix = left + kx * $dilationX;
              if (ix < 0 || ix >= $inWidth) continue;
              const float16 v = @load(16, 0, x$plane + iy * ${inRowStride}L + ix * $inPixelStride);
              $take
              count++;
            }
          }
          """);

  /// Without a look at each tap whether it is inside.
  private static final Template QUICK =
      Template.of(
          "blocked pool, taps of whole rows",
          """
          for (int ky = 0; ky < $kernelHeight; ky++) {
            const int iy = oy * $strideY - $padY + ky * $dilationY;
            if (iy < 0 || iy >= $inHeight) continue;
            @global const float* row = x$plane + iy * ${inRowStride}L + left * $inPixelStride;
            $row
            count += $kernelWidth;
          }
          """);

  private static final Template TAP =
      Template.of(
          "blocked pool, tap",
          "{ const float16 v = @load(16, 0, row + $tap * $inPixelStride); $take }");

  private static final Template MANY_TAPS =
      Template.of(
          "blocked pool, many taps",
          """
          for (int kx = 0; kx < $kernelWidth; kx++) {
            const float16 v = @load(16, 0, row + kx * $dilationX * $inPixelStride);
            $take
          }
          """);

  /// A maximum of two instructions for each tap. What is no number or infinite makes `odd` no
  /// number, and then all taps are taken once more by the rule: what is no number stays.
  private static final Template QUICK_MAX =
      Template.of(
          "blocked pool, maximum of whole rows",
          """
          float16 odd = @splat(16, 0.0f);
          $taps
          if (@any(odd != odd)) {
            isEdge = 1;
            acc = $start;
            count = 0;
          }
          """);

  private static final String TAKE_MAX = "acc = @select(acc, v, (v > acc) | (v != v));";

  private static final String TAKE_NUMBER =
      "acc = @select(acc, v, v > acc); odd = fma(v, @splat(16, 0.0f), odd);";

  private static final String ADD = "acc += v;";

  /* Names of an element's indices along the spatial axes, as many of the last as there are. */
  private static final List<String> PLACES = List.of("oz", "oy", "ox");

  /// Of a row of the window; more of them stay a loop.
  private static final int MOST_TAPS = 8;

  private static final String HEAD =
      """
      A work item owns one output row x 16 channels, a pixel at a time in a vector.
      x: sixteen channels innermost (NCHW16c), so that a tap is one vector, and no lane asks for itself. y: %s.
      """;

  private final LoweredStep step;
  private final Op.WindowReduce op;
  private final VectorEpilogue epilogue;
  private final Depth depth;
  private final Plane plane;
  private final KernelText text = new KernelText();

  private BlockedPool(LoweredStep step, Op.WindowReduce op, VectorEpilogue epilogue) {
    this.step = step;
    TensorType in = step.node().inputs().getFirst().type();
    IndexFunction x = step.inputs().getFirst().index();
    TensorType out = step.node().output().type();
    this.depth = Depth.of(op.window(), in, out, x);
    this.plane = Plane.of(op.window(), in, out, x, false);
    this.op = op;
    this.epilogue = epilogue;
  }

  public static KernelText.Written write(
      LoweredStep step, Op.WindowReduce op, VectorEpilogue epilogue) {
    return new BlockedPool(step, op, epilogue).write();
  }

  /// Whether all arrays that are read have sixteen channels in a vector. A result that has not,
  /// such as a model's, is stored lane by lane.
  public static boolean canWrite(LoweredStep step, VectorEpilogue epilogue) {
    return epilogue.same(step).allMatch(BlockedPool::isBlocked)
        && isBlocked(step.inputs().getFirst().index())
        && Vectors.suits(step.output().index());
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
    Vectors to = new Vectors("y", step.output().index());
    String pixel = "at + ox * " + to.pixelStride() + "L";
    long blocks = to.blocks();
    text.pointer("x", CType.F32, step.inputs().getFirst(), false);
    for (int i = 1; i < step.inputs().size(); i++) {
      text.pointer("e" + i, CType.F32, step.inputs().get(i), false);
    }
    text.pointer("y", CType.F32, step.output(), true);
    VectorText.Written result = result();
    text.head(HEAD.formatted(to.about()))
        .add(
            KERNEL
                .with("rows", plane.outHeight())
                .with("depth", depth.place())
                .with("columns", plane.outWidth())
                .with("blocks", blocks)
                .with("images", IndexText.affine(out.dim(0)))
                .with("x", IndexText.affine(x.offset()) + " + " + start(x))
                .with("at", to.start("at", 1))
                .with("added", added())
                .with("strideX", plane.strideX())
                .with("padX", plane.padX())
                .with("lastTap", lastTap())
                .with("inWidth", plane.inWidth())
                .with("start", start())
                .with("quick", quick())
                .with("taps", depth.over(taps()))
                .with("divide", divide(in))
                .with("prepare", result.statements())
                .with("store", to.store(result.value(), pixel, "ob")));
    long rows = depth.out() * plane.outHeight();
    return new KernelText.Written(text, new Launch.Items(out.dim(0).times(blocks * rows), 8));
  }

  private boolean isMax() {
    return op.kind() == Op.PoolKind.MAX;
  }

  private String start() {
    return isMax() ? "@splat(16, -INFINITY)" : "0";
  }

  private int lastTap() {
    return (plane.kernelWidth() - 1) * plane.dilationX();
  }

  private String taps() {
    return inRows(TAPS)
        .with("dilationX", plane.dilationX())
        .with("inWidth", plane.inWidth())
        .with("inPixelStride", plane.pixelStride())
        .with("take", isMax() ? TAKE_MAX : ADD)
        .text();
  }

  private String quick() {
    String taps =
        depth.over(
            inRows(QUICK)
                .with("inPixelStride", plane.pixelStride())
                .with("row", wholeRow())
                .text());
    return isMax() ? QUICK_MAX.with("taps", taps).with("start", start()).text() : taps;
  }

  /* What all taps need to know of the image's rows. */
  private Template.Filling inRows(Template taps) {
    return taps.with("kernelHeight", plane.kernelHeight())
        .with("kernelWidth", plane.kernelWidth())
        .with("strideY", plane.strideY())
        .with("padY", plane.padY())
        .with("dilationY", plane.dilationY())
        .with("inHeight", plane.inHeight())
        .with("plane", depth.offset())
        .with("inRowStride", plane.rowStride());
  }

  /* Taps of a row of the window that is all inside the image. */
  private String wholeRow() {
    String take = isMax() ? TAKE_NUMBER : ADD;
    return plane.kernelWidth() > MOST_TAPS
        ? MANY_TAPS
            .with("kernelWidth", plane.kernelWidth())
            .with("dilationX", plane.dilationX())
            .with("inPixelStride", plane.pixelStride())
            .with("take", take)
            .text()
        : IntStream.range(0, plane.kernelWidth())
            .mapToObj(kx ->
                TAP.with("tap", kx * plane.dilationX())
                    .with("inPixelStride", plane.pixelStride())
                    .with("take", take)
                    .text())
            .collect(Collectors.joining("\n"));
  }

  private static long rowStride(IndexFunction index) {
    return new Vectors("y", index).rowStride();
  }

  private static Affine pixelStride(IndexFunction index) {
    return index.axes().getLast().stride();
  }

  /* To the plane of the work item, where there are several. */
  private String plane(IndexFunction index) {
    return depth.isThere() ? " + oz * " + index.axes().get(2).stride() + "L" : "";
  }

  /* Moves the pointers to what is added to the result to the work item's row. */
  private String added() {
    return epilogue
        .same()
        .mapToObj(i -> startRow("e" + (i + 1), step.inputs().get(i + 1).index()))
        .collect(Collectors.joining("\n"));
  }

  private String startRow(String pointer, IndexFunction index) {
    return "%s += %s + %s%s + oy * %sL;"
        .formatted(
            pointer,
            IndexText.affine(index.offset()),
            start(index),
            plane(index),
            rowStride(index));
  }

  private VectorText.Written result() {
    return VectorText.epilogue(step.node().epilogue(), "acc", this::added);
  }

  private String added(int i) {
    IndexFunction index = step.inputs().get(i + 1).index();
    return epilogue.reads().get(i) == VectorEpilogue.Read.LANES
        ? "@load(16, ob, e" + (i + 1) + ")"
        : "@load(16, 0, e" + (i + 1) + " + ox * " + pixelStride(index) + ")";
  }

  private static String start(IndexFunction index) {
    Axis n = index.axes().get(0);
    return "item * "
        + IndexText.affine(n.stride())
        + " + ob * "
        + index.axes().get(1).outerStride().asConstant()
        + "L";
  }

  private String divide(TensorType in) {
    return switch (op.kind()) {
      case MAX, SUM -> "";
      case AVERAGE -> "acc /= @splat(16, (float)count);";
      case AVERAGE_WITH_PADDING -> "acc /= @splat(16, (float)(" + padded(in) + "));";
    };
  }

  private String padded(TensorType in) {
    int rank = op.window().rank();
    return IntStream.range(0, rank)
        .mapToObj(d -> padded(in, d, PLACES.get(PLACES.size() - rank + d)))
        .collect(Collectors.joining(" * "));
  }

  /* Taps along an axis that are inside input or padding. */
  private String padded(TensorType in, int d, String place) {
    Window w = op.window();
    long end = in.dim(d + 2).asConstant() + w.padsBegin().get(d) + w.padsEnd().get(d);
    int dilation = w.dilations().get(d);
    return "min(%d, (%d - %s * %d + %d) / %d)"
        .formatted(w.kernel().get(d), end, place, w.strides().get(d), dilation - 1, dilation);
  }
}
