package io.miniinference.codegen.gpu.patch;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.FourResults;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A direct convolution of neighbouring windows. As a matrix product each input would go through
/// local memory once for each tap of the window; here it goes once for each patch that it is under,
/// and a work item reads it once for all windows of its patch. So a product costs fewer reads, and
/// output channels may be few.
///
/// All tiles add up a result's products in one order (four input channels after the other, and of
/// each the taps), so that a row has the same bits in any batch.
public final class PatchKernel {
  private static final Template HEAD =
      Template.of(
          "convolution by patches, head",
          """
          A work-group of $items work items owns $patches patches of $height x $width pixels, with $columns of their channels; a work item
          has four channels of a patch, in registers.

          for four input channels at a time
            as: [channel][patch][$lines lines][$line pixels]  what the windows of each patch cover
            bs: [channel][tap][output channel]
            of each channel:  a work item reads its patch's $lines x $line inputs, and of each of $taps taps four weights for all $pixels pixels
          What comes next is on its way in registers while this is multiplied. Patches are $pitch floats apart, so that neighbours are in
          other banks.
          """);

  private static final Template KERNEL =
      Template.of(
          "convolution by patches",
          """
          const int t = @localId;
          const int own = t / $quads, quad = t % $quads * 4;
          const long m0 = ((long)first + @groupId(0)) * $patches;
          const int j0 = @groupId(1) * $columns;
          const uint patchesOfLine = $patchesOfLine, patchesOfImage = $lines * patchesOfLine;
          const long all = (long)patchesOfImage * $images;
          const int count = all - m0 < $patches ? (int)(all - m0) : $patches;
          const long image0 = m0 / patchesOfImage;
          const uint place0 = (uint)(m0 % patchesOfImage);
          const long from = $from;
          @shared float as[$floatsOfInputs] @aligned;
          @shared float bs[$floatsOfWeights] @aligned;
          int at[$inputUnits];
          int to[$inputUnits];
          @unroll
          for (int i = 0; i < $inputUnits; i++) {
            const int e = t + i * $items;
            const int patch = e / $inputsOfPatch, line = e % $inputsOfPatch / $line, column = e % $line;
            $place
            const int iy = down * $height - $padY + line, ix = across * $width - $padX + column;
            const bool inside = patch < count && (uint)iy < ${imageHeight}u && (uint)ix < ${imageWidth}u;
            at[i] = inside ? image * $imageStride + iy * $lineStride + ix * $columnStride : -1;
            to[i] = patch * $pitch + line * $linePitch + column;
          }
          float4 a[$inputUnits];
          float4 b[$weightUnits];
          float4 acc[$pixels];
          @unroll
          for (int i = 0; i < $pixels; i++) acc[i] = @splat(4, 0);
          $fetchFirst
          #pragma unroll 1
          for (int c0 = 0; c0 < $channels; c0 += 4) {
            @unroll
            for (int i = 0; i < $inputUnits; i++) {
              $isInputOfItem
              @local float* p = as + to[i];
              p[0] = a[i].x;
              p[$plane] = a[i].y;
              p[2 * $plane] = a[i].z;
              p[3 * $plane] = a[i].w;
            }
            @unroll
            for (int i = 0; i < $weightUnits; i++) {
              const int e = t + i * $items;
              $isWeightOfItem
              const int tap = e / $quads / 4, c = e / $quads % 4;
              *(@local float4*)(bs + (c * $taps + tap) * $columns + e % $quads * 4) = b[i];
            }
            @barrier;
            if (c0 + 4 < $channels) {
              $fetchNext
            }
            #pragma unroll 1
            for (int c = 0; c < 4; c++) {
              @local const float* x = as + c * $plane + own * $pitch;
              @local const float* w = bs + c * $taps * $columns + quad;
              float v[$held];
              $reads
              @unroll
              for (int tap = 0; tap < $taps; tap++) {
                const float4 weight = *(@local const float4*)(w + tap * $columns);
                @unroll
                for (int i = 0; i < $pixels; i++) {
                  acc[i] = fma(@splat(4, v[(i / $width + tap / $windowWidth) * $line + i % $width + tap % $windowWidth]), weight, acc[i]);
                }
              }
            }
            @barrier;
          }
          if (own < count) {
            const int patch = own;
            $place
            const long i0 = image0 + image;
            const long i1 = j0 + quad;
            $finish
          }
          """);

  /* Of a patch of the work-group: in 32 bits, since a GPU divides 64 by calling a function. */
  private static final String PLACE =
      """
      const uint place = place0 + patch;
      const int image = place / patchesOfImage;
      const int down = place % patchesOfImage / patchesOfLine, across = place % patchesOfImage % patchesOfLine;
      """;

  /* Inputs and weights of four channels. */
  private static final Template FETCH =
      Template.of(
          "inputs and weights of four channels",
          """
          @unroll
          for (int i = 0; i < $inputUnits; i++) {
            $input
          }
          @unroll
          for (int i = 0; i < $weightUnits; i++) {
            const int e = t + i * $items;
            const int tap = e / $quads / 4, c = $first + e / $quads % 4;
            b[i] = $isWeight $weight;
          }
          """);

  /* Each line begins with a whole vector. */
  private static final Template READ =
      Template.of(
          "inputs under a patch",
          """
          @unroll
          for (int line = 0; line < $lines; line++) {
            $parts
          }
          """);

  private static final Template FOUR =
      Template.of(
          "four inputs",
          """
          {
            const float4 four = *(@local const float4*)(x + line * $linePitch + $from);
            v[line * $line + $from] = four.x;
            v[line * $line + $from + 1] = four.y;
            v[line * $line + $from + 2] = four.z;
            v[line * $line + $from + 3] = four.w;
          }
          """);

  private static final Template TWO =
      Template.of(
          "two inputs",
          """
          {
            const float2 two = *(@local const float2*)(x + line * $linePitch + $from);
            v[line * $line + $from] = two.x;
            v[line * $line + $from + 1] = two.y;
          }
          """);

  /* All that the epilogue reads is on its way before the first store, which might be taken for one to
  the same place. */
  private static final Template FINISH =
      Template.of(
          "results of a patch",
          """
          @unroll
          for (int i = 0; i < $pixels; i++) {
            const long i2 = down * $height + i / $width, i3 = across * $width + i % $width;
            $skip
            float4 r;
            $parts
            acc[i] = r;
          }
          @unroll
          for (int i = 0; i < $pixels; i++) {
            const long i2 = down * $height + i / $width, i3 = across * $width + i % $width;
            $skip
            $store
          }
          """);

  private final StepText s;
  private final PatchTile tile;
  private final Window window;
  private final TensorType images;
  private final TensorType out;

  private PatchKernel(LoweredStep step, PatchTile tile) {
    this.s = new StepText(step, tile.items());
    this.tile = tile;
    window = ((Op.Conv) step.node().op()).window();
    images = step.node().inputs().getFirst().type();
    out = step.node().output().type();
  }

  /// Whether the inputs of a work-group lie within 32 bits of each other. The strides within an
  /// image must be fixed besides.
  public static boolean canWrite(LoweredStep step, PatchTile tile) {
    Affine stride = step.inputs().getFirst().index().axes().getFirst().stride();
    return stride.isConstant() && tile.reaches(stride.constant(), step.node().output().type());
  }

  /// The kernel of a convolution for which the tile was chosen.
  public static KernelText.Written write(LoweredStep step, PatchTile tile) {
    return new PatchKernel(step, tile).write();
  }

  private KernelText.Written write() {
    s.text().head(head());
    s.text().add(kernel());
    return new KernelText.Written(
        s.text(),
        new Launch.Groups(
            List.of(
                new Launch.Extent(patches(), tile.patches(), tile.items()),
                new Launch.Extent(out.dim(1), tile.columns(), 1))));
  }

  private String head() {
    return HEAD.with("items", tile.items())
        .with("patches", tile.patches())
        .with("height", PatchTile.HEIGHT)
        .with("width", tile.width())
        .with("columns", tile.columns())
        .with("lines", tile.lines())
        .with("line", tile.line())
        .with("taps", tile.taps())
        .with("pixels", tile.pixels())
        .with("pitch", tile.pitch())
        .text();
  }

  /* Of all images. */
  private Affine patches() {
    return out.dim(0).times(along(2, PatchTile.HEIGHT)).times(along(3, tile.width()));
  }

  private Affine along(int axis, int size) {
    return Affine.of(Math.ceilDiv(out.dim(axis).asConstant(), (long) size));
  }

  private String text(int axis, int size) {
    Affine pixels = out.dim(axis);
    return pixels.isOpen()
        ? IndexText.quotient(pixels.asConstant(), size)
        : IndexText.affine(along(axis, size));
  }

  private Template.Filling kernel() {
    boolean isRagged = tile.inputUnits() * tile.items() > tile.inputs();
    boolean hasRaggedWeights = tile.weightUnits() * tile.items() > tile.weights();
    return KERNEL
        .with("quads", tile.quads())
        .with("patches", tile.patches())
        .with("columns", tile.columns())
        .with("floatsOfInputs", tile.floatsOfInputs())
        .with("floatsOfWeights", tile.floatsOfWeights())
        .with("inputUnits", tile.inputUnits())
        .with("weightUnits", tile.weightUnits())
        .with("items", tile.items())
        .with("inputsOfPatch", tile.lines() * tile.line())
        .with("line", tile.line())
        .with("place", PLACE.strip())
        .with("height", PatchTile.HEIGHT)
        .with("width", tile.width())
        .with("padY", window.padsBegin().get(0))
        .with("padX", window.padsBegin().get(1))
        .with(
            "isInputOfItem",
            isRagged ? "if (t + i * " + tile.items() + " >= " + tile.inputs() + ") continue;" : "")
        .with(
            "isWeightOfItem", hasRaggedWeights ? "if (e >= " + tile.weights() + ") continue;" : "")
        .with("patchesOfLine", text(3, tile.width()))
        .with("lines", text(2, PatchTile.HEIGHT))
        .with("images", IndexText.affine(out.dim(0)))
        .with("imageStride", stride(0))
        .with("lineStride", stride(2))
        .with("columnStride", stride(3))
        .with("imageHeight", images.dim(2).constant())
        .with("imageWidth", images.dim(3).constant())
        .with("from", from())
        .with("pitch", tile.pitch())
        .with("linePitch", tile.linePitch())
        .with("plane", tile.patches() * tile.pitch())
        .with("pixels", tile.pixels())
        .with("channels", images.dim(1).constant())
        .with("taps", tile.taps())
        .with("windowWidth", tile.windowWidth())
        .with("held", tile.lines() * tile.line())
        .with("reads", reads())
        .with("fetchFirst", fetch("0", hasRaggedWeights))
        .with("fetchNext", fetch("c0 + 4", hasRaggedWeights))
        .with("finish", finish());
  }

  /* Where the first image of a work-group begins. */
  private String from() {
    List<Coordinate> image =
        List.of(Coordinate.of("image0"), Coordinate.ZERO, Coordinate.ZERO, Coordinate.ZERO);
    return IndexText.offset(s.step().inputs().getFirst().index(), image);
  }

  private long stride(int axis) {
    return s.step().inputs().getFirst().index().axes().get(axis).stride().asConstant();
  }

  private Template.Filling fetch(String first, boolean isRagged) {
    String weight =
        "(tap * %dL + c) * %dL + j0 + e %% %d * 4"
            .formatted(images.dim(1).constant(), out.dim(1).constant(), tile.quads());
    return FETCH
        .with("inputUnits", tile.inputUnits())
        .with("weightUnits", tile.weightUnits())
        .with("items", tile.items())
        .with("quads", tile.quads())
        .with("first", first)
        .with("input", input(first))
        .with("isWeight", isRagged ? "e >= " + tile.weights() + " ? @splat(4, 0) :" : "")
        .with("weight", s.type(1).readFour(s.pointer(1), weight));
  }

  /* Channels may begin where no vector of them does, in a part of what several arrays became. */
  private String input(String first) {
    IndexFunction index = s.step().inputs().getFirst().index();
    if (TiledProduct.isVector(index, 1)) {
      String four = s.type(0).readFour(s.pointer(0), "from + at[i] + " + first);
      return "a[i] = at[i] >= 0 ? " + four + " : @splat(4, 0);";
    }
    return FourResults.eachLane(lane -> {
      String at = "from + at[i] + (" + first + " + " + lane + ") * " + stride(1) + "L";
      char part = TiledProduct.PARTS.charAt(lane);
      return "a[i]." + part + " = at[i] >= 0 ? " + s.type(0).read(s.pointer(0), at) + " : 0.0f;";
    });
  }

  private Template.Filling reads() {
    String parts =
        IntStream.iterate(0, from -> from < tile.line(), from -> from + 4)
            .mapToObj(from ->
                (tile.line() - from >= 4 ? FOUR : TWO)
                    .with("line", tile.line())
                    .with("linePitch", tile.linePitch())
                    .with("from", from)
                    .text())
            .collect(Collectors.joining("\n"));
    return READ.with("lines", tile.lines()).with("parts", parts);
  }

  private Template.Filling finish() {
    return FINISH
        .with("pixels", tile.pixels())
        .with("height", PatchTile.HEIGHT)
        .with("width", tile.width())
        .with("skip", skip())
        .with("parts", FourResults.parts(s, "acc[i]"))
        .with("store", store());
  }

  private String store() {
    return TiledProduct.isVector(s.step().output().index(), 1)
        ? s.outputType()
            .writeFour(
                s.output(),
                IndexText.offset(s.step().output().index(), FourResults.at(0)),
                "acc[i]")
        : FourResults.eachLane(
            lane -> s.stored("acc[i]." + TiledProduct.PARTS.charAt(lane), FourResults.at(lane)));
  }

  private String skip() {
    String outside =
        Stream.of(outside("i2", 2, PatchTile.HEIGHT), outside("i3", 3, tile.width()))
            .flatMap(Optional::stream)
            .collect(Collectors.joining(" || "));
    return outside.isEmpty() ? "" : "if (" + outside + ") continue;";
  }

  /* Nothing where all patches are whole. */
  private Optional<String> outside(String pixel, int axis, int size) {
    Affine pixels = out.dim(axis);
    boolean areWhole = !pixels.isOpen() && pixels.isMultipleOf(size);
    return areWhole ? Optional.empty() : Optional.of(pixel + " >= " + pixels.asConstant());
  }
}
