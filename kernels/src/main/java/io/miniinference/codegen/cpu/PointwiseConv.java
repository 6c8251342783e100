package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.Plane;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorResult;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.lanes.Vectors;
import io.miniinference.codegen.cpu.lanes.Weights;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Convolution 1×1 of many channels, as a matrix product whose depth is cut into chunks: the
/// weights of a chunk stay in the first cache while many tiles of pixels take them, and the sums of
/// a tile wait for the next chunk where the result will be.
///
/// @param blocks of sixteen output channels of a register tile
/// @param pixels of a register tile, which divide a row
/// @param chunk input channels
/// @param weights how they are stored
record PointwiseConv(int blocks, int pixels, int chunk, Weights weights, VectorEpilogue epilogue)
    implements CpuStrategy.Several {
  private static final int LANES = VectorText.LANES;

  /// Bytes of a chunk's weights: half of a first cache.
  private static final int CHUNK_BYTES = 16 << 10;

  /// Pixels that take a chunk's weights once they are there, at least, where there are as many.
  private static final int GROUP_PIXELS = 100;

  /// Work items of an image, at least, where there are enough tiles: cores share them.
  private static final int FEWEST_ITEMS = 32;

  /// Tiles that take a chunk's weights, at least: fewer wait for the weights longer than they
  /// compute.
  private static final int FEWEST_TILES = 3;

  /// The convolution's tile; empty if it is of another kind, or if its pixels and channels do not
  /// come out even.
  static Optional<PointwiseConv> of(
      Node node, Op.Conv op, Weights weights, VectorEpilogue epilogue) {
    TensorType out = node.output().type();
    TensorType x = node.inputs().getFirst().type();
    boolean isKnown =
        out.rank() == 4
            && out.shape().stream().noneMatch(Affine::isOpen)
            && out.element() == ElementType.F32; // which keeps the sums of a chunk
    if (!isKnown || !isPointwise(op.window()) || !isDivisible(x.dim(1), LANES)) {
      return Optional.empty();
    }
    long row = out.dim(3).asConstant() * (isStrided(op.window()) ? 1 : out.dim(2).asConstant());
    return cut(x.dim(1).asConstant(), out.dim(1).asConstant(), row, weights, epilogue);
  }

  private static boolean isDivisible(Affine size, int by) {
    return size.isConstant() && size.constant() % by == 0;
  }

  private static Optional<PointwiseConv> cut(
      long channels, long outputs, long row, Weights weights, VectorEpilogue epilogue) {
    int pixels = row % 4 == 0 && outputs % (4 * LANES) == 0 ? 4 : 7;
    int blocks = pixels == 4 ? 4 : 2;
    int chunk = CHUNK_BYTES / (4 * LANES * blocks);
    boolean isEven = row % pixels == 0 && outputs % (blocks * LANES) == 0 && channels % chunk == 0;
    return isEven && channels > chunk
        ? Optional.of(new PointwiseConv(blocks, pixels, chunk, weights, epilogue))
        : Optional.empty();
  }

  private static boolean isPointwise(Window window) {
    return window.kernel().stream().allMatch(k -> k == 1)
        && window.padsBegin().stream().allMatch(p -> p == 0)
        && window.padsEnd().stream().allMatch(p -> p == 0);
  }

  private static boolean isStrided(Window window) {
    return window.strides().stream().anyMatch(s -> s != 1);
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return canUse(step)
        ? Algorithm.of(
            "pointwise convolution, tile %d pixels x %d channels, %d deep"
                .formatted(pixels, blocks * LANES, chunk))
        : direct().algorithm(step);
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return io.miniinference.codegen.cpu.DirectConv.canWrite(step, epilogue);
  }

  /* The same weights in the same order, all of them for each tile. */
  private CpuStrategy.DirectConv direct() {
    return new CpuStrategy.DirectConv(
        blocks, pixels, weights, "its result has gaps or no blocks", epilogue);
  }

  private boolean canUse(LoweredStep step) {
    Op.Conv op = (Op.Conv) step.node().op();
    return DepthwiseConv.canWrite(step, epilogue)
        && keepsSums(step.output().index())
        && (isStrided(op.window()) || isFlat(step));
  }

  /* Sums lie in the result as vectors until they are whole. */
  private static boolean keepsSums(IndexFunction result) {
    return result.axes().get(1).isBlocked() && result.axes().get(1).stride().equals(Affine.ONE);
  }

  private boolean isFlat(LoweredStep step) {
    return Vectors.isFlat(step.inputs().getFirst().index())
        && Vectors.isFlat(step.output().index())
        && epilogue.same(step).allMatch(Vectors::isFlat);
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    Op.Conv op = (Op.Conv) step.node().op();
    return List.of(
        canUse(step)
            ? new Writer(step, this).write()
            : io.miniinference.codegen.cpu.DirectConv.write(step, op, direct()));
  }

  /// The text of one kernel.
  private static final class Writer {
    private static final Template HEAD =
        Template.of(
            "pointwise convolution, head",
            """
            A work item owns up to $group pixels x $lanes output channels, $pixels pixels at a time in registers.

             for each chunk of $chunk input channels        its weights, 16 KB, stay in the first cache,
                                                           and tiles ask for those of the next one
               for each tile of $pixels pixels             which asks for the next one's
                 sums += x (one float, broadcast) * w (a row of weights), from and to the result's place

            x: sixteen channels innermost (NCHW16c). w: [block of $lanes channels][input channel][lane]. y: $output.
            """);

    private static final Template KERNEL =
        Template.of(
            "pointwise convolution",
            """
            long item = (long)@globalId + first;
            $order
            const int from = place * $group;
            if (item >= $images) return;
            const int end = min(from + $group, $tiles);
            x += $offset + item * $image;
            w += pass * ${weights}L;
            #pragma unroll 1
            for (int chunk = 0; chunk < $chunks; chunk++) {
              #pragma unroll 1
              for (int tile = from; tile < end; tile++) {
                const int oy = tile / $across;
                const int ox = tile % $across * $pixels;
                @global const float* xc = x + chunk * ${chunkStride}L + oy * ${row}L + ox * ${pixel}L;
                @global const $weight* wc = w + chunk * $chunkWeights;
                @global const $weight* ahead = wc + $chunkWeights + (tile - from) * ${chunk}L * 16;
                $zeros
                if (chunk > 0) {
                  $taken
                }
                #pragma unroll 1
                for (int cb = 0; cb < $chunkBlocks; cb++, xc += ${block}L - 16) {
                  $asked
                  #pragma unroll 1
                  for (int ci = 0; ci < 16; ci++, xc++, wc += $lanes, ahead += 16) {
                    @prefetch(ahead);
                    $factors
                    $multiply
                  }
                }
                if (chunk < $chunks - 1) {
                  $kept
                } else {
                  $stores
                }
              }
            }
            """);

    private static final Template BLOCK =
        Template.of(
            "pointwise convolution, block",
            """
            {
              const int ob = pass * $blocks + $block;
              $starts
              $lines
            }
            """);

    private final PointwiseConv tile;
    private final KernelText text = new KernelText();
    private final LoweredStep step;
    private final VectorResult result;
    private final Vectors sums;
    private final IndexFunction input;
    private final Plane plane;
    private final long channels;
    private final Affine images;

    Writer(LoweredStep step, PointwiseConv tile) {
      this.step = step;
      this.tile = tile;
      input = step.inputs().getFirst().index();
      result = new VectorResult(step, tile.epilogue, text);
      sums = new Vectors("y", step.output().index());
      TensorType x = step.node().inputs().getFirst().type();
      channels = x.dim(1).asConstant();
      images = x.dim(0);
      Op.Conv op = (Op.Conv) step.node().op();
      plane = Plane.of(op.window(), x, step.node().output().type(), input, true);
    }

    private int lanes() {
      return tile.blocks * LANES;
    }

    private int across() {
      return plane.outWidth() / tile.pixels;
    }

    private int tiles() {
      return across() * plane.outHeight();
    }

    /* Tiles of a work item, of which items have about the same number. */
    private int group() {
      int groups = Math.max(1, tiles() * tile.pixels / GROUP_PIXELS);
      int shared = Math.ceilDiv(FEWEST_ITEMS, passes());
      int each = Math.ceilDiv(tiles(), Math.min(tiles(), Math.max(groups, shared)));
      return Math.min(tiles(), Math.max(each, FEWEST_TILES));
    }

    private int passes() {
      return (int) (result.blocks() / tile.blocks);
    }

    /* Work items follow each other over what has fewer bytes, so that a core reads the more once:
    over groups of pixels that share a pass' weights, or over passes that share a group's pixels. */
    private String order() {
      String pass = next("pass", passes());
      String group = next("place", Math.ceilDiv(tiles(), group()));
      boolean hasMoreWeights = (long) passes() * lanes() > (long) tiles() * tile.pixels;
      return hasMoreWeights ? group + "\n" + pass : pass + "\n" + group;
    }

    private static String next(String name, int count) {
      return "const int %1$s = item %% %2$d; item /= %2$d;".formatted(name, count);
    }

    KernelText.Written write() {
      text.pointer("x", CType.F32, step.inputs().get(0), false);
      text.pointer("w", tile.weights.type(), step.inputs().get(1), false);
      result.pointers();
      text.head(
              HEAD.with("group", group() * tile.pixels)
                  .with("lanes", lanes())
                  .with("pixels", tile.pixels)
                  .with("chunk", tile.chunk)
                  .with("output", result.about())
                  .text())
          .add(kernel());
      Affine items = images.times((long) passes() * Math.ceilDiv(tiles(), group()));
      return new KernelText.Written(text, new Launch.Items(items, 1));
    }

    private Template.Filling kernel() {
      long block = input.axes().get(1).outerStride().asConstant();
      Template.Filling kernel =
          KERNEL
              .with("order", order())
              .with("group", group())
              .with("images", IndexText.affine(images))
              .with("tiles", tiles())
              .with("offset", IndexText.affine(input.offset()))
              .with("image", IndexText.affine(input.axes().getFirst().stride()))
              .with("weights", channels * lanes())
              .with("chunks", channels / tile.chunk)
              .with("chunk", tile.chunk)
              .with("across", across())
              .with("pixels", tile.pixels)
              .with("chunkStride", tile.chunk / LANES * block)
              .with("row", plane.rowStride() * plane.strideY())
              .with("pixel", (long) plane.pixelStride() * plane.strideX())
              .with("weight", tile.weights.type().stored())
              .with("chunkWeights", tile.chunk * lanes())
              .with("chunkBlocks", tile.chunk / LANES)
              .with("block", block)
              .with("lanes", lanes());
      return sums(kernel);
    }

    private Template.Filling sums(Template.Filling kernel) {
      return kernel
          .with("zeros", blocks(b -> pixels(p -> "float16 " + sum(p, b) + " = @splat(16, 0.0f);")))
          .with("taken", each((p, b) -> sum(p, b) + " = @load(16, 0, y + " + place(p) + ");"))
          .with(
              "factors",
              blocks(b -> "const float16 w%d = %s;".formatted(b, tile.weights.load(b, "wc"))))
          .with("asked", pixels(p -> "@prefetch(xc + " + offset(tile.pixels + p) + ");"))
          .with("multiply", pixels(this::multiply))
          .with("kept", each((p, b) -> "@store(16, " + sum(p, b) + ", 0, y + " + place(p) + ");"))
          .with("stores", each((p, b) -> result.store(sum(p, b), "ox + " + p)));
    }

    private interface Line {
      String of(int pixel, int block);
    }

    /* Statements about the tile's sums, block by block, that know where a block starts. */
    private String each(Line line) {
      return blocks(b ->
          BLOCK
              .with("blocks", tile.blocks)
              .with("block", b)
              .with("starts", result.start())
              .with("lines", pixels(p -> line.of(p, b)))
              .text());
    }

    private String place(int pixel) {
      return "at + (ox + " + pixel + ") * " + sums.pixelStride() + "L";
    }

    private static String sum(int pixel, int block) {
      return "c" + pixel + "_" + block;
    }

    private String blocks(IntFunction<String> line) {
      return IntStream.range(0, tile.blocks).mapToObj(line).collect(Collectors.joining("\n"));
    }

    private String pixels(IntFunction<String> line) {
      return IntStream.range(0, tile.pixels).mapToObj(line).collect(Collectors.joining("\n"));
    }

    /* Of a pixel, from the tile's first. */
    private long offset(int p) {
      return (long) p * plane.pixelStride() * plane.strideX();
    }

    private String multiply(int p) {
      long at = offset(p);
      String sums =
          IntStream.range(0, tile.blocks)
              .mapToObj(b -> " %1$s = fma(v, w%2$d, %1$s);".formatted(sum(p, b), b))
              .collect(Collectors.joining());
      return "{ const float16 v = @splat(16, xc[" + at + "]);" + sums + " }";
    }
  }
}
