package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.GroupWindows;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorResult;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.lanes.Vectors;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// Transposed convolution over two spatial axes: a work item is one output row of sixteen channels,
/// stored as a vector into the blocked layout and lane by lane into any other; each pixel sums the
/// taps that reach it, over four accumulators so that `fma`s do not wait for each other. Of one
/// with groups it reads the channels of those groups alone whose output channels it owns
/// ([GroupWindows]).
final class DirectConvTranspose {
  private static final int SPLIT = 4;

  private static final Template KERNEL =
      Template.of(
          "direct transposed convolution",
          """
          long item = (long)@globalId + first;
          const int oy = item % $rows; item /= $rows;
          const int ob = item % $blocks; item /= $blocks;
          if (item >= $images) return;
          x += $offset + item * $image$window;
          w += ob * ${weights}L;
          $starts
          for (int ox = 0; ox < $columns; ox++) {
            float16 c0 = 0;
            float16 c1 = 0;
            float16 c2 = 0;
            float16 c3 = 0;
            for (int ky = 0; ky < $kernelHeight; ky++) {
              const int qy = oy + $padY - ky * $dilationY;
              if (qy < 0 || qy % $strideY != 0 || qy / $strideY >= $inHeight) continue;
              for (int kx = 0; kx < $kernelWidth; kx++) {
                const int qx = ox + $padX - kx * $dilationX;
                if (qx < 0 || qx % $strideX != 0 || qx / $strideX >= $inWidth) continue;
                @global const float* p = x + qy / $strideY * ${rowStride}L + qx / $strideX * ${pixelStride}L;
                @global const float* wt = w + (ky * $kernelWidth + kx) * ${tapWeights}L;
                for (int c = 0; c < $wholeChannels; c += $split) {
                  $channels
                }
                $lastChannels
              }
            }
            const float16 raw = (c0 + c1) + (c2 + c3);
            $store
          }
          """);

  private static final Template HEAD =
      Template.of(
          "direct transposed convolution, head",
          """
          A work item owns one output row x 16 output channels, a pixel at a time in a vector.
          Each pixel gathers the taps that reach it, so that nothing is added up in memory; input channels go to
          four accumulators in turn, so that one fma does not wait for the one before.
          x: $input. w: [block of 16 channels][ky][kx][input channel][lane], read in order.
          y: $output.
          """);

  private final LoweredStep step;
  private final Op.ConvTranspose op;
  private final KernelText text = new KernelText();
  private final VectorResult result;

  private DirectConvTranspose(LoweredStep step, Op.ConvTranspose op, VectorEpilogue epilogue) {
    this.step = step;
    this.op = op;
    this.result = new VectorResult(step, epilogue, text);
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
    result.pointers();
    text.head(
            HEAD.with("input", new Vectors("x", step.inputs().getFirst().index()).about())
                .with("output", result.about())
                .text())
        .add(body(out, blocks));
    return new KernelText.Written(
        text, new Launch.Items(out.dim(0).times(blocks * out.dim(2).asConstant()), 4));
  }

  private Template.Filling body(TensorType out, long blocks) {
    Window w = op.window();
    TensorType in = step.node().inputs().getFirst().type();
    IndexFunction x = step.inputs().getFirst().index();
    GroupWindows windows =
        GroupWindows.of(step.node(), op.groups(), VectorText.LANES).orElseThrow();
    long channels = windows.width();
    long whole = channels / SPLIT * SPLIT;
    long taps = (long) w.kernel().get(0) * w.kernel().get(1);
    Axis axis = x.axes().get(1);
    return KERNEL
        .with("rows", out.dim(2))
        .with("columns", out.dim(3))
        .with("blocks", blocks)
        .with("images", IndexText.affine(out.dim(0)))
        .with("offset", IndexText.affine(x.offset()))
        .with("image", IndexText.affine(x.axes().get(0).stride()))
        .with("window", windows.startText("ob", axis))
        .with("weights", taps * channels * VectorText.LANES)
        .with("starts", result.start())
        .with("kernelHeight", w.kernel().get(0))
        .with("kernelWidth", w.kernel().get(1))
        .with("padY", w.padsBegin().get(0))
        .with("padX", w.padsBegin().get(1))
        .with("dilationY", w.dilations().get(0))
        .with("dilationX", w.dilations().get(1))
        .with("strideY", w.strides().get(0))
        .with("strideX", w.strides().get(1))
        .with("inHeight", in.dim(2))
        .with("inWidth", in.dim(3))
        .with("rowStride", x.axes().get(2).stride())
        .with("pixelStride", x.axes().get(3).stride())
        .with("tapWeights", channels * VectorText.LANES)
        .with("wholeChannels", whole)
        .with("split", SPLIT)
        .with("channels", lines(0, SPLIT, q -> fma(axis, "(c + " + q + ")", (int) q)))
        .with("lastChannels", lines(whole, channels, c -> fma(axis, Long.toString(c), 0)))
        .with("store", result.store("raw", "ox").stripTrailing());
  }

  private static String lines(long from, long to, LongFunction<String> line) {
    return LongStream.range(from, to).mapToObj(line).collect(Collectors.joining("\n"));
  }

  private static String fma(Axis axis, String c, int q) {
    String at =
        axis.isBlocked()
            ? "%1$s / %2$d * %3$s + %1$s %% %2$d".formatted(c, axis.block(), axis.outerStride())
            : c + " * " + axis.stride();
    return "c%1$d = fma(@splat(16, p[%2$s]), @load(16, 0, wt + %3$s * 16), c%1$d);"
        .formatted(q, at, c);
  }
}
