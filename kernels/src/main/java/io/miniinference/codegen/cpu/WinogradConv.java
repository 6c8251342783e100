package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorResult;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.winograd.Choice;
import io.miniinference.codegen.cpu.winograd.Tiling;
import io.miniinference.codegen.cpu.winograd.Transforms;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Convolution 3×3 in Winograd's form F(4×4, 3×3): a quarter of the direct form's products, for two
/// transforms (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016).
///
/// A work item takes some tiles of one image through all three stages, in arrays of its own that
/// stay in its core's cache: it transforms 6×6 inputs of each tile, sixteen channels at a time;
/// multiplies, for each of the 36 products, a matrix of tiles × input channels with one of factors;
/// and transforms these to the 4×4 results of each tile. Where a tile is in the image is all that
/// its result depends on, so that a row of a batch has the same bits in any batch.
///
/// The result is within 1e-5 of the sum of the magnitudes of what the direct form adds up. An
/// infinite input or NaN makes NaN of all results of its tile.
record WinogradConv(Tiling tiling, VectorEpilogue epilogue) implements CpuStrategy.Several {
  private static final int LANES = VectorText.LANES;

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return new Algorithm(
        "Winograd F(4x4, 3x3), %d tiles x %d channels"
            .formatted(tiling.tiles(), tiling.blocks() * LANES),
        false,
        "about %d %% of the direct form's time".formatted(tiling.percent()));
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return DepthwiseConv.canWrite(step, epilogue);
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    return List.of(new Writer(step, this).write());
  }

  /// The text of one kernel.
  private static final class Writer {
    private static final Template HEAD =
        Template.of(
            "Winograd convolution, head",
            """
            A work item owns $tiles tiles of 4 x 4 pixels of an image, with all their channels.

             6 x 6 inputs of a tile -> u: [36][tile][input channel]      columns, then rows
             m: [36][tile][lane] = u * w, $tiles x $lanes sums in registers for each of the 36
             m -> 4 x 4 results of a tile                                columns, then rows

            x: sixteen channels innermost (NCHW16c). w: [block of $lanes channels][36][input channel][lane], the filters
            transformed. y: $output.
            """);

    private static final Template KERNEL =
        Template.of(
            "Winograd convolution",
            """
            long item = (long)@globalId + first;
            const int from = item % $groups * $tiles; item /= $groups;
            if (item >= $images) return;
            x += $offset + item * $image;
            float u[$inputs];
            float m[$products];
            float16 q[36];
            #pragma unroll 1
            for (int t = 0; t < $tiles; t++) {
              const int tile = min(from + t, $last);
              const int iy = tile / $across * 4 - $padY;
              const int ix = tile % $across * 4 - $padX;
              const int inside = iy >= 0 && ix >= 0 && iy + 6 <= $height && ix + 6 <= $width;
              #pragma unroll 1
              for (int cb = 0; cb < $inBlocks; cb++) {
                @global const float* xb = x + cb * ${inBlock}L + iy * ${row}L + ix * ${pixel}L;
                if (inside) {
                  #pragma unroll 1
                  for (int j = 0; j < 6; j++, xb += $pixel) {
                    $loads
                    $columns
                  }
                } else {
                  #pragma unroll 1
                  for (int j = 0; j < 6; j++, xb += $pixel) {
                    $zeros
                    if (ix + j >= 0 && ix + j < $width) {
                      $tested
                    }
                    $columns
                  }
                }
                #pragma unroll 1
                for (int i = 0; i < 6; i++) {
                  $taken
                  $transform
                  float* to = u + i * ${inputRow} + t * $channels + cb * 16;
                  $put
                }
              }
            }
            #pragma unroll 1
            for (int pass = 0; pass < $passes; pass++) {
              #pragma unroll 1
              for (int f = 0; f < 36; f++, w += $weights) {
                const float* uf = u + f * $pitch;
                @global const float* wf = w;
                $sums
                #pragma unroll 1
                for (int c = 0; c < $depth; c++, wf += $lanes) {
                  $factors
                  $multiply
                }
                float* to = m + f * $outPitch;
                $keep
              }
              #pragma unroll 1
              for (int t = 0; t < $tiles; t++) {
                const int tile = from + t;
                if (tile > $last) break;
                const int top = tile / $across * 4;
                const int left = tile % $across * 4;
                const int end = min(top + 4, $outHeight);
                #pragma unroll 1
                for (int b = 0; b < $blocks; b++) {
                  const int ob = pass * $blocks + b;
                  if (ob >= $outBlocks) break;
                  const float* mb = m + t * $lanes + b * 16;
                  #pragma unroll 1
                  for (int k = 0; k < 6; k++, mb += $outPitch) {
                    $productLoads
                    $results
                    $resultColumns
                  }
                  #pragma unroll 1
                  for (int oy = top; oy < end; oy++) {
                    const float16* qr = q + (oy - top) * 6;
                    $resultLoads
                    $results
                    $starts
                    $stores
                  }
                }
              }
            }
            """);

    private final LoweredStep step;
    private final Tiling tiling;
    private final KernelText text = new KernelText();
    private final VectorResult result;
    private final Plane plane;
    private final IndexFunction input;
    private final Tiling.Sizes sizes;
    private final Affine images;

    Writer(LoweredStep step, WinogradConv strategy) {
      this.step = step;
      tiling = strategy.tiling;
      input = step.inputs().getFirst().index();
      result = new VectorResult(step, strategy.epilogue, text);
      TensorType x = step.node().inputs().getFirst().type();
      images = x.dim(0);
      sizes = Choice.sizes(step.node());
      Op.Conv op = (Op.Conv) step.node().op();
      plane = Plane.of(op.window(), x, step.node().output().type(), input, false);
    }

    private int lanes() {
      return tiling.blocks() * LANES;
    }

    private long groups() {
      return Math.ceilDiv(sizes.tiles(), tiling.tiles());
    }

    /* Whole vectors of input channels. */
    private long channels() {
      return Math.ceilDiv(sizes.channels(), LANES) * LANES;
    }

    /* Elements between two of the 36 matrices: no power of two, whose lines would share a few
    places of the cache. */
    private long pitch() {
      return tiling.tiles() * channels() + LANES;
    }

    private long outPitch() {
      return (long) tiling.tiles() * lanes() + LANES;
    }

    KernelText.Written write() {
      text.pointer("x", CType.F32, step.inputs().get(0), false);
      text.pointer("w", CType.F32, step.inputs().get(1), false);
      result.pointers();
      text.head(
              HEAD.with("tiles", tiling.tiles())
                  .with("lanes", lanes())
                  .with("output", result.about())
                  .text())
          .add(kernel());
      return new KernelText.Written(text, new Launch.Items(images.times(groups()), 1));
    }

    private Template.Filling kernel() {
      Template.Filling kernel =
          KERNEL
              .with("groups", groups())
              .with("tiles", tiling.tiles())
              .with("images", IndexText.affine(images))
              .with("offset", IndexText.affine(input.offset()))
              .with("image", IndexText.affine(input.axes().getFirst().stride()))
              .with("last", sizes.tiles() - 1)
              .with("across", sizes.tilesAcross());
      inputs(kernel);
      products(kernel);
      return results(kernel);
    }

    private void inputs(Template.Filling kernel) {
      kernel
          .with("inputs", Transforms.PRODUCTS * pitch())
          .with("padY", plane.padY())
          .with("padX", plane.padX())
          .with("height", plane.inHeight())
          .with("width", plane.inWidth())
          .with("inBlocks", channels() / LANES)
          .with("inBlock", input.axes().get(1).outerStride().asConstant())
          .with("row", plane.rowStride())
          .with("pixel", plane.pixelStride())
          .with("loads", six(i -> "const float16 i%d = %s;".formatted(i, pixel(i))))
          .with("zeros", six(i -> "float16 i" + i + " = @splat(16, 0.0f);"))
          .with("tested", six(this::tested))
          .with("columns", columns())
          .with("taken", six(j -> "const float16 i%d = q[i * 6 + %d];".formatted(j, j)))
          .with("transform", Transforms.ofInputs())
          .with("inputRow", Transforms.INPUTS * pitch())
          .with("channels", channels())
          .with("put", six(j -> "@store(16, o%d, 0, to + %d);".formatted(j, j * pitch())));
    }

    private static String six(IntFunction<String> line) {
      return lines(Transforms.INPUTS, line);
    }

    private static String lines(int count, IntFunction<String> line) {
      return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n"));
    }

    private String pixel(int i) {
      return "@load(16, 0, xb + " + i * plane.rowStride() + ")";
    }

    private String tested(int i) {
      return "if (iy + %d >= 0 && iy + %d < %d) i%d = %s;"
          .formatted(i, i, plane.inHeight(), i, pixel(i));
    }

    /* The transform of one column. */
    private static String columns() {
      return Transforms.ofInputs() + "\n" + six(i -> "q[%d + j] = o%d;".formatted(i * 6, i));
    }

    private void products(Template.Filling kernel) {
      kernel
          .with("products", Transforms.PRODUCTS * outPitch())
          .with("passes", Math.ceilDiv(result.blocks(), tiling.blocks()))
          .with("weights", sizes.channels() * lanes())
          .with("pitch", pitch())
          .with("outPitch", outPitch())
          .with("depth", sizes.channels())
          .with("lanes", lanes())
          .with("sums", sums((t, b) -> "float16 a%d_%d = @splat(16, 0.0f);".formatted(t, b)))
          .with(
              "factors",
              lines(tiling.blocks(), b -> "const float16 w%d = @load(16, %d, wf);".formatted(b, b)))
          .with("multiply", lines(tiling.tiles(), this::multiply))
          .with(
              "keep",
              sums((t, b) ->
                  "@store(16, a%d_%d, %d, to);".formatted(t, b, t * tiling.blocks() + b)));
    }

    private interface Sum {
      String of(int tile, int block);
    }

    private String sums(Sum line) {
      return lines(tiling.tiles(), t -> lines(tiling.blocks(), b -> line.of(t, b)));
    }

    private String multiply(int t) {
      String sums =
          IntStream.range(0, tiling.blocks())
              .mapToObj(b -> " a%1$d_%2$d = fma(v, w%2$d, a%1$d_%2$d);".formatted(t, b))
              .collect(Collectors.joining());
      return "{ const float16 v = @splat(16, uf[%d + c]);%s }".formatted(t * channels(), sums);
    }

    private Template.Filling results(Template.Filling kernel) {
      return kernel
          .with("outHeight", plane.outHeight())
          .with("blocks", tiling.blocks())
          .with("outBlocks", result.blocks())
          .with(
              "productLoads",
              six(i ->
                  "const float16 i%d = @load(16, 0, mb + %d);"
                      .formatted(i, i * Transforms.INPUTS * outPitch())))
          .with("results", Transforms.ofProducts())
          .with(
              "resultColumns",
              lines(
                  Transforms.RESULTS, i -> "q[%d + k] = o%d;".formatted(i * Transforms.INPUTS, i)))
          .with("resultLoads", six(i -> "const float16 i%d = qr[%d];".formatted(i, i)))
          .with("starts", result.start())
          .with("stores", lines(Transforms.RESULTS, this::store));
    }

    private String store(int k) {
      boolean isAlwaysThere = plane.outWidth() % Transforms.RESULTS == 0;
      String isThere = isAlwaysThere ? "" : "if (left + " + k + " < " + plane.outWidth() + ") ";
      return isThere + result.store("o" + k, "left + " + k);
    }
  }
}
