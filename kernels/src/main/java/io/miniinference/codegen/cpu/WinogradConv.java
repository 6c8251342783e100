package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.Plane;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorResult;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.winograd.Choice;
import io.miniinference.codegen.cpu.winograd.Form;
import io.miniinference.codegen.cpu.winograd.Tiling;
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

/// Convolution 3×3 in Winograd's form F(2×2, 3×3) or F(4×4, 3×3): a quarter of the direct form's
/// products or four ninths, for two transforms (Lavin and Gray, "Fast Algorithms for Convolutional
/// Neural Networks", 2016).
///
/// A work item takes some tiles of one image through all three stages, in arrays of its own that
/// stay in its core's cache: it transforms the inputs of each tile; multiplies, for each of a
/// tile's products, a matrix of tiles × input channels with one of factors; and transforms these to
/// the results of each tile. Where a tile is in the image is all that its result depends on, so
/// that a row of a batch has the same bits in any batch.
///
/// The result is within 1e-5 of the sum of the magnitudes of what the direct form adds up. An
/// infinite input or NaN makes NaN of all results of its tile.
record WinogradConv(Tiling tiling, VectorEpilogue epilogue) implements CpuStrategy.Several {
  private static final int LANES = VectorText.LANES;

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return new Algorithm(
        "Winograd %s, %d tiles x %d channels"
            .formatted(tiling.form(), tiling.together(), tiling.blocks() * LANES),
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
            A work item owns up to $tiles tiles of $results x $results pixels of an image, with $owned of their channels.

             $inputs x $inputs inputs of a tile -> u: [product][tile][input channel]      columns, then rows
             for each $lanes output channels
               m: [product][tile][lane] = u * w, $together x $lanes sums in registers for each of $products products
               m -> $results x $results results of a tile                              columns, then rows

            x: sixteen channels innermost (NCHW16c). w: [block of $lanes channels][product][input channel][lane], the
            filters transformed. y: $output.
            """);

    private static final Template KERNEL =
        Template.of(
            "Winograd convolution",
            """
            long item = (long)@globalId + first;
            $order
            const int from = group * $tiles;
            if (item >= $images) return;
            x += $offset + item * $image;
            w += part * ${partWeights}L;
            const int some = min($tiles, (($last - from) / $together + 1) * $together);
            float u[$inputFloats];
            float m[$productFloats];
            float16 q[$products];
            #pragma unroll 1
            for (int t = 0; t < some; t++) {
              const int tile = min(from + t, $last);
              const int iy = tile / $across * $results - $padY;
              const int ix = tile % $across * $results - $padX;
              const int inside = iy >= 0 && ix >= 0 && iy + $inputs <= $height && ix + $inputs <= $width;
              #pragma unroll 1
              for (int cb = 0; cb < $inBlocks; cb++) {
                @global const float* xb = x + cb * ${inBlock}L + iy * ${row}L + ix * ${pixel}L;
                if (inside) {
                  #pragma unroll 1
                  for (int j = 0; j < $inputs; j++, xb += $pixel) {
                    $loads
                    $columns
                  }
                } else {
                  #pragma unroll 1
                  for (int j = 0; j < $inputs; j++, xb += $pixel) {
                    $zeros
                    if (ix + j >= 0 && ix + j < $width) {
                      $tested
                    }
                    $columns
                  }
                }
                #pragma unroll 1
                for (int i = 0; i < $inputs; i++) {
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
              for (int f = 0; f < $products; f++, w += $weights) {
                #pragma unroll 1
                for (int t = 0; t < some; t += $together) {
                  const float* uf = u + f * $pitch + t * $channels;
                  @global const float* wf = w;
                  $sums
                  #pragma unroll 1
                  for (int c = 0; c < $depth; c++, wf += $lanes) {
                    $factors
                    $multiply
                  }
                  float* to = m + f * $outPitch + t * $lanes;
                  $keep
                }
              }
              #pragma unroll 1
              for (int t = 0; t < some; t++) {
                const int tile = from + t;
                if (tile > $last) break;
                const int top = tile / $across * $results;
                const int left = tile % $across * $results;
                const int end = min(top + $results, $outHeight);
                #pragma unroll 1
                for (int b = 0; b < $blocks; b++) {
                  const int ob = (part * $passes + pass) * $blocks + b;
                  if (ob >= $outBlocks) break;
                  const float* mb = m + t * $lanes + b * 16;
                  #pragma unroll 1
                  for (int k = 0; k < $inputs; k++, mb += $outPitch) {
                    $productLoads
                    $ofProducts
                    $resultColumns
                  }
                  #pragma unroll 1
                  for (int oy = top; oy < end; oy++) {
                    const float16* qr = q + (oy - top) * $inputs;
                    $resultLoads
                    $ofProducts
                    $starts
                    $stores
                  }
                }
              }
            }
            """);

    private final LoweredStep step;
    private final Tiling tiling;
    private final Form form;
    private final KernelText text = new KernelText();
    private final VectorResult result;
    private final Plane plane;
    private final IndexFunction input;
    private final Tiling.Sizes sizes;
    private final Affine images;

    Writer(LoweredStep step, WinogradConv strategy) {
      this.step = step;
      tiling = strategy.tiling;
      form = tiling.form();
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

    private int owned() {
      return tiling.passes() * lanes();
    }

    /* Whole vectors of input channels. */
    private long channels() {
      return Math.ceilDiv(sizes.channels(), LANES) * LANES;
    }

    KernelText.Written write() {
      text.pointer("x", CType.F32, step.inputs().get(0), false);
      text.pointer("w", CType.F32, step.inputs().get(1), false);
      result.pointers();
      text.head(
              HEAD.with("tiles", tiling.tiles())
                  .with("results", form.results())
                  .with("owned", owned())
                  .with("inputs", form.inputs())
                  .with("products", form.products())
                  .with("together", tiling.together())
                  .with("lanes", lanes())
                  .with("output", result.about())
                  .text())
          .add(kernel());
      return new KernelText.Written(
          text, new Launch.Items(images.times(groups() * tiling.parts(sizes)), 1));
    }

    private long groups() {
      return Math.ceilDiv(sizes.tiles(form), tiling.tiles());
    }

    /* Groups of tiles that share factors follow each other. */
    private String order() {
      return next("group", groups()) + "\n" + next("part", tiling.parts(sizes));
    }

    private static String next(String name, long count) {
      return "const int %1$s = item %% %2$d; item /= %2$d;".formatted(name, count);
    }

    private Template.Filling kernel() {
      Template.Filling kernel =
          KERNEL
              .with("order", order())
              .with("tiles", tiling.tiles())
              .with("together", tiling.together())
              .with("images", IndexText.affine(images))
              .with("offset", IndexText.affine(input.offset()))
              .with("image", IndexText.affine(input.axes().getFirst().stride()))
              .with("last", sizes.tiles(form) - 1)
              .with("across", sizes.tilesAcross(form))
              .with("inputs", form.inputs())
              .with("products", form.products());
      inputs(kernel);
      products(kernel);
      return results(kernel);
    }

    private void inputs(Template.Filling kernel) {
      kernel
          .with("inputFloats", form.products() * tiling.inputPitch(sizes))
          .with("padY", plane.padY())
          .with("padX", plane.padX())
          .with("height", plane.inHeight())
          .with("width", plane.inWidth())
          .with("inBlocks", channels() / LANES)
          .with("channels", channels())
          .with("inBlock", input.axes().get(1).outerStride().asConstant())
          .with("row", plane.rowStride())
          .with("pixel", plane.pixelStride())
          .with("loads", inputs(i -> "const float16 i%d = %s;".formatted(i, pixel(i))))
          .with("zeros", inputs(i -> "float16 i" + i + " = @splat(16, 0.0f);"))
          .with("tested", inputs(this::tested))
          .with("columns", columns())
          .with(
              "taken",
              inputs(j -> "const float16 i%d = q[i * %d + %d];".formatted(j, form.inputs(), j)))
          .with("transform", form.ofInputs())
          .with("inputRow", form.inputs() * tiling.inputPitch(sizes))
          .with(
              "put",
              inputs(
                  j -> "@store(16, o%d, 0, to + %d);".formatted(j, j * tiling.inputPitch(sizes))));
    }

    private String inputs(IntFunction<String> line) {
      return lines(form.inputs(), line);
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
    private String columns() {
      return form.ofInputs()
          + "\n"
          + inputs(i -> "q[%d + j] = o%d;".formatted(i * form.inputs(), i));
    }

    private void products(Template.Filling kernel) {
      long weights = sizes.channels() * lanes();
      kernel
          .with("productFloats", form.products() * tiling.productPitch())
          .with("passes", tiling.passes())
          .with("partWeights", tiling.passes() * form.products() * weights)
          .with("weights", weights)
          .with("depth", sizes.channels())
          .with("pitch", tiling.inputPitch(sizes))
          .with("outPitch", tiling.productPitch())
          .with("lanes", lanes())
          .with("sums", sums((t, b) -> "float16 a%d_%d = @splat(16, 0.0f);".formatted(t, b)))
          .with(
              "factors",
              lines(tiling.blocks(), b -> "const float16 w%d = @load(16, %d, wf);".formatted(b, b)))
          .with("multiply", lines(tiling.together(), this::multiply))
          .with("keep", sums((t, b) -> "@store(16, a%d_%d, %d, to);".formatted(t, b, place(t, b))));
    }

    private int place(int tile, int block) {
      return tile * tiling.blocks() + block;
    }

    private interface Sum {
      String of(int tile, int block);
    }

    private String sums(Sum line) {
      return lines(tiling.together(), t -> lines(tiling.blocks(), b -> line.of(t, b)));
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
          .with("results", form.results())
          .with("outHeight", plane.outHeight())
          .with("blocks", tiling.blocks())
          .with("outBlocks", result.blocks())
          .with(
              "productLoads",
              inputs(i ->
                  "const float16 i%d = @load(16, 0, mb + %d);"
                      .formatted(i, i * form.inputs() * tiling.productPitch())))
          .with("ofProducts", form.ofProducts())
          .with(
              "resultColumns",
              lines(form.results(), i -> "q[%d + k] = o%d;".formatted(i * form.inputs(), i)))
          .with("resultLoads", inputs(i -> "const float16 i%d = qr[%d];".formatted(i, i)))
          .with("starts", result.start())
          .with("stores", lines(form.results(), this::store));
    }

    private String store(int k) {
      boolean isAlwaysThere = plane.outWidth() % form.results() == 0;
      String isThere = isAlwaysThere ? "" : "if (left + " + k + " < " + plane.outWidth() + ") ";
      return isThere + result.store("o" + k, "left + " + k);
    }
  }
}
