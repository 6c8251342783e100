package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.Plane;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorResult;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.packing.CpuPacking.ConvWeights;
import io.miniinference.codegen.cpu.winograd.BothFilters;
import io.miniinference.codegen.cpu.winograd.Choice;
import io.miniinference.codegen.cpu.winograd.Filters;
import io.miniinference.codegen.cpu.winograd.Form;
import io.miniinference.codegen.cpu.winograd.Tiling;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Packing;
import java.util.List;
import java.util.Optional;
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
///
/// @param small the form of images that are too small, where sizes differ from request to request:
///   a shape takes one of two kernels then, and the filters lie in both forms
record WinogradConv(Tiling tiling, VectorEpilogue epilogue, Optional<CpuStrategy.DirectConv> small)
    implements CpuStrategy.Several {
  private static final int LANES = VectorText.LANES;
  private static final int TAPS = 9;

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return isTooSmall(step) ? small.orElseThrow().algorithm(step) : algorithm();
  }

  private Algorithm algorithm() {
    return new Algorithm(
        "Winograd %s, %d tiles x %d channels"
            .formatted(tiling.form(), tiling.together(), tiling.blocks() * LANES),
        false,
        "about %d %% of the direct form's time".formatted(tiling.percent()));
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return DepthwiseConv.canWrite(step, epilogue)
        && (small.isEmpty() || io.miniinference.codegen.cpu.DirectConv.canWrite(step, epilogue));
  }

  /// How filters must lie.
  Packing packing() {
    Filters factors = factors();
    return small
        .map(tile -> (Packing) new BothFilters(factors, new ConvWeights(tile.blocks() * LANES)))
        .orElse(factors);
  }

  @Override
  public long unreadWeightBytes(LoweredStep step) {
    return small.map(tile -> unreadBytes(step, tile)).orElse(0L);
  }

  private long unreadBytes(LoweredStep step, CpuStrategy.DirectConv tile) {
    Tiling.Sizes sizes = Choice.sizes(step.node());
    long lanes = tile.blocks() * LANES;
    long direct = Math.ceilDiv(sizes.outputs(), lanes) * lanes * sizes.channels() * TAPS;
    long factors = factors().floats(sizes.outputs(), sizes.channels());
    return Float.BYTES * (tiling.suits(sizes) ? direct : factors);
  }

  private Filters factors() {
    return new Filters(tiling.form(), tiling.blocks() * LANES);
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    return List.of(isTooSmall(step) ? direct(step) : tiles(step));
  }

  @Override
  public List<KernelText.Written> spares(LoweredStep step) {
    return small.isEmpty() ? List.of() : List.of(isTooSmall(step) ? tiles(step) : direct(step));
  }

  private boolean isTooSmall(LoweredStep step) {
    return small.isPresent() && !tiling.suits(Choice.sizes(step.node()));
  }

  private KernelText.Written tiles(LoweredStep step) {
    return new Writer(step, this).write();
  }

  private KernelText.Written direct(LoweredStep step) {
    Tiling.Sizes sizes = Choice.sizes(step.node());
    long factors = factors().floats(sizes.outputs(), sizes.channels());
    return io.miniinference.codegen.cpu.DirectConv.write(
        step, (Op.Conv) step.node().op(), small.orElseThrow(), factors);
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
            $known
            $order
            const int from = group * $own;
            if (item >= $images) return;
            x += $offset + item * $image;
            w += part * ${partWeights}L;
            const int some = min($own, (($last - from) / $least + 1) * $least);
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
                $multiplied
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

    private static final Template KNOWN =
        Template.of(
            "Winograd convolution, images of any size",
            """
            const int across = $across;
            const int last = $down * across - 1;
            const int own = min($tiles, (last / 2 / $least + 1) * $least);
            const int groups = last / own + 1;
            """);

    private static final Template TOGETHER =
        Template.of(
            "Winograd convolution, products of some tiles",
            """
            #pragma unroll 1
            for ($start; $condition; t += $together) {
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

    /// Whether images of another request have another size.
    private final boolean isOpen;

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
      TensorType out = step.node().output().type();
      plane = Plane.of(op.window(), x, out, input, false);
      isOpen = out.shape().stream().skip(2).anyMatch(Affine::isOpen);
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
      return Math.ceilDiv(sizes.tiles(form), own());
    }

    /* Tiles of a work item. Of a small image among those of any size two workers have a part each. */
    private long own() {
      long half = ((sizes.tiles(form) - 1) / 2 / least() + 1) * least();
      return isOpen ? Math.min(tiling.tiles(), half) : tiling.tiles();
    }

    /* Of images of any size what follows from theirs. */
    private String known() {
      String down = IndexText.quotient(plane.outHeight(), form.results());
      String across = IndexText.quotient(plane.outWidth(), form.results());
      return isOpen
          ? KNOWN
              .with("across", across)
              .with("down", down)
              .with("tiles", tiling.tiles())
              .with("least", least())
              .text()
              .stripTrailing()
          : "";
    }

    /* Groups of tiles that share factors follow each other. */
    private String order() {
      return next("group", isOpen ? "groups" : Long.toString(groups()))
          + "\n"
          + next("part", Long.toString(tiling.parts(sizes)));
    }

    private static String next(String name, String count) {
      return "const int %1$s = item %% %2$s; item /= %2$s;".formatted(name, count);
    }

    private Template.Filling kernel() {
      Template.Filling kernel =
          KERNEL
              .with("known", known())
              .with("order", order())
              .with("own", isOpen ? "own" : Integer.toString(tiling.tiles()))
              .with("least", least())
              .with("images", IndexText.affine(images))
              .with("offset", IndexText.affine(input.offset()))
              .with("image", IndexText.affine(input.axes().getFirst().stride()))
              .with("last", isOpen ? "last" : Long.toString(sizes.tiles(form) - 1))
              .with("across", isOpen ? "across" : Long.toString(sizes.tilesAcross(form)))
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
          .with("lanes", lanes())
          .with("outPitch", tiling.productPitch())
          .with("multiplied", multiplied());
    }

    /* Tiles whose products are computed together at least. A small image has fewer than most are. */
    private int least() {
      int few = tiling.tiles() % 2 == 0 ? 2 : 1;
      return isOpen ? Math.min(few, tiling.together()) : tiling.together();
    }

    private String multiplied() {
      int most = tiling.together();
      return least() == most
          ? together(most, "int t = 0", "t < some")
          : "int t = 0;\n"
              + together(most, "", "t + " + most + " <= some")
              + "\n"
              + together(least(), "", "t < some");
    }

    private String together(int tiles, String start, String condition) {
      return TOGETHER
          .with("start", start)
          .with("condition", condition)
          .with("together", tiles)
          .with("depth", sizes.channels())
          .with("channels", channels())
          .with("pitch", tiling.inputPitch(sizes))
          .with("outPitch", tiling.productPitch())
          .with("lanes", lanes())
          .with("sums", sums(tiles, (t, b) -> "float16 a%d_%d = @splat(16, 0.0f);".formatted(t, b)))
          .with(
              "factors",
              lines(tiling.blocks(), b -> "const float16 w%d = @load(16, %d, wf);".formatted(b, b)))
          .with("multiply", lines(tiles, this::multiply))
          .with(
              "keep",
              sums(tiles, (t, b) -> "@store(16, a%d_%d, %d, to);".formatted(t, b, place(t, b))))
          .text()
          .stripTrailing();
    }

    private int place(int tile, int block) {
      return tile * tiling.blocks() + block;
    }

    private interface Sum {
      String of(int tile, int block);
    }

    private String sums(int tiles, Sum line) {
      return lines(tiles, t -> lines(tiling.blocks(), b -> line.of(t, b)));
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
      boolean isAlwaysThere = !isOpen && plane.outWidth() % form.results() == 0;
      String isThere = isAlwaysThere ? "" : "if (left + " + k + " < " + plane.outWidth() + ") ";
      return isThere + result.store("o" + k, "left + " + k);
    }
  }
}
