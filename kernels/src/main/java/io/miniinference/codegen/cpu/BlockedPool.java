package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.lanes.Vectors;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Pooling of an `f32` plane in blocked layout, sixteen channels at a time: a work item is one
/// output row of one block of channels.
final class BlockedPool {
  private static final Template KERNEL =
      Template.of(
          "blocked pool",
          """
          long item = (long)@globalId + first;
          const int oy = item % $rows; item /= $rows;
          const int cb = item % $blocks; item /= $blocks;
          if (item >= $images) return;
          x += $x;
          y += $y + oy * ${rowStride}L;
          $added
          for (int ox = 0; ox < $columns; ox++) {
            float16 acc = $start;
            int count = 0;
            for (int ky = 0; ky < $kernelHeight; ky++) {
              const int iy = oy * $strideY - $padY + ky * $dilationY;
              if (iy < 0 || iy >= $inHeight) continue;
              for (int kx = 0; kx < $kernelWidth; kx++) {
                const int ix = ox * $strideX - $padX + kx * $dilationX;
                if (ix < 0 || ix >= $inWidth) continue;
                const float16 v = @load(16, 0, x + iy * ${inRowStride}L + ix * $inPixelStride);
                $take
                count++;
              }
            }
            $divide
            $prepare
            @store(16, $result, 0, y + ox * $pixelStride);
          }
          """);

  private static final String HEAD =
      """
      A work item owns one output row x 16 channels, a pixel at a time in a vector.
      x, y: sixteen channels innermost (NCHW16c), so that a tap is one vector, and no lane asks for itself.
      """;

  private final LoweredStep step;
  private final Op.WindowReduce op;
  private final VectorEpilogue epilogue;
  private final KernelText text = new KernelText();

  private BlockedPool(LoweredStep step, Op.WindowReduce op, VectorEpilogue epilogue) {
    this.step = step;
    this.op = op;
    this.epilogue = epilogue;
  }

  static KernelText.Written write(LoweredStep step, Op.WindowReduce op, VectorEpilogue epilogue) {
    return new BlockedPool(step, op, epilogue).write();
  }

  /// Whether all arrays have sixteen channels in a vector.
  static boolean canWrite(LoweredStep step, VectorEpilogue epilogue) {
    boolean added =
        IntStream.range(0, epilogue.reads().size())
            .filter(i -> epilogue.reads().get(i) == VectorEpilogue.Read.SAME)
            .allMatch(i -> isBlocked(step.inputs().get(1 + i).index()));
    return added && isBlocked(step.inputs().getFirst().index()) && isBlocked(step.output().index());
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
    for (int i = 1; i < step.inputs().size(); i++) {
      text.pointer("e" + i, CType.F32, step.inputs().get(i), false);
    }
    text.pointer("y", CType.F32, step.output(), true);
    boolean max = op.kind() == Op.PoolKind.MAX;
    VectorText.Written result = result();
    Window w = op.window();
    text.head(HEAD)
        .add(
            KERNEL
                .with("rows", out.dim(2))
                .with("columns", out.dim(3))
                .with("blocks", blocks)
                .with("images", IndexText.affine(out.dim(0)))
                .with("x", IndexText.affine(x.offset()) + " + " + start(x))
                .with("y", IndexText.affine(y.offset()) + " + " + start(y))
                .with("added", added())
                .with("rowStride", y.axes().get(2).stride())
                .with("pixelStride", y.axes().get(3).stride())
                .with("start", max ? "@splat(16, -INFINITY)" : "0")
                .with("kernelHeight", w.kernel().get(0))
                .with("kernelWidth", w.kernel().get(1))
                .with("strideY", w.strides().get(0))
                .with("strideX", w.strides().get(1))
                .with("padY", w.padsBegin().get(0))
                .with("padX", w.padsBegin().get(1))
                .with("dilationY", w.dilations().get(0))
                .with("dilationX", w.dilations().get(1))
                .with("inHeight", in.dim(2))
                .with("inWidth", in.dim(3))
                .with("inRowStride", x.axes().get(2).stride())
                .with("inPixelStride", x.axes().get(3).stride())
                .with("take", max ? "acc = @select(acc, v, (v > acc) | (v != v));" : "acc += v;")
                .with("divide", divide(in))
                .with("prepare", result.statements())
                .with("result", result.value()));
    Affine items = out.dim(0).times(blocks * out.dim(2).asConstant());
    return new KernelText.Written(text, new Launch.Items(items, 8));
  }

  /* Moves the pointers to what is added to the result to the work item's row. */
  private String added() {
    return IntStream.range(0, epilogue.reads().size())
        .filter(i -> epilogue.reads().get(i) == VectorEpilogue.Read.SAME)
        .mapToObj(i -> startRow("e" + (i + 1), step.inputs().get(i + 1).index()))
        .collect(Collectors.joining("\n"));
  }

  private static String startRow(String pointer, IndexFunction index) {
    return "%s += %s + %s + oy * %sL;"
        .formatted(
            pointer, IndexText.affine(index.offset()), start(index), index.axes().get(2).stride());
  }

  private VectorText.Written result() {
    return VectorText.epilogue(step.node().epilogue(), "acc", this::added);
  }

  private String added(int i) {
    IndexFunction index = step.inputs().get(i + 1).index();
    return epilogue.reads().get(i) == VectorEpilogue.Read.LANES
        ? "@load(16, cb, e" + (i + 1) + ")"
        : "@load(16, 0, e" + (i + 1) + " + ox * " + index.axes().get(3).stride() + ")";
  }

  private static String start(IndexFunction index) {
    Axis n = index.axes().get(0);
    return "item * "
        + IndexText.affine(n.stride())
        + " + cb * "
        + index.axes().get(1).outerStride().asConstant()
        + "L";
  }

  private String divide(TensorType in) {
    return switch (op.kind()) {
      case MAX, SUM -> "";
      case AVERAGE -> "acc /= @splat(16, (float)count);";
      case AVERAGE_WITH_PADDING ->
          "acc /= @splat(16, (float)(" + padded(in, 0, "oy") + " * " + padded(in, 1, "ox") + "));";
    };
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
