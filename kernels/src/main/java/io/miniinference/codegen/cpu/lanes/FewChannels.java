package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue.Read;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Packing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Convolution, or transposed convolution, to a few channels, such as those of a picture, a mask or
/// scores: output channels would fill few of a vector's lanes, so that input channels are the lanes
/// of products, and the pixels of a row those of results.
///
/// @param isTransposed whether the window is one of a transposed convolution
public record FewChannels(boolean isTransposed, Window window, VectorEpilogue epilogue) {
  private static final int LANES = VectorText.LANES;

  /// Vectors of products below which a second worker costs more than it saves.
  private static final int GRAIN = 10_000;

  /// Products that sixteen sums, and what is done with them, take as long as.
  private static final int SUMS = 64;

  /// Taps of a transposed convolution that reach a pixel, in a row, each of which has a text of its
  /// own.
  private static final int MOST_TAPS = 4;

  private static final Template HEAD =
      Template.of(
          "convolution to few channels, head",
          """
          A work item owns 16 pixels of an output row, one output channel after the other:

                         input channels, 16 a vector
                         +-------+
           pixel 0       |  a0   |  += x (16 channels of a pixel) * v (as many weights of the tap)
           ...           |  ...  |  for each tap and block of channels
           pixel 15      |  a15  |
                         +-------+
                          summed up over the lanes, the pixels are the lanes of the result

          x: sixteen channels innermost (NCHW16c). w: [output channel][ky][kx][input channel], read in order.
          y: channel by channel.
          Where all taps of all pixels are inside the row, they are not tested.
          """);

  private static final Template KERNEL =
      Template.of(
          "convolution to few channels",
          """
          long item = (long)@globalId + first;
          const int tile = item % $tiles; item /= $tiles;
          const int oy = item % $rows; item /= $rows;
          if (item >= $images) return;
          x += $offset + item * $image;
          const int ox = tile * 16;
          const int left = $left;
          const int count = min(16, $width - ox);
          const int isInside = count == 16 && left >= $before && left + $reach < $inWidth;
          $starts
          for (int k = 0; k < $outputs; k++) {
            $zeros
            $taps
            const float16 raw = @laneSums($sums);
            $prepare
            $store
          }
          """);

  private static final Template TAPS =
      Template.of(
          "convolution to few channels, taps",
          """
          for (int ky = 0; ky < $kernelHeight; ky++) {
            const int iy = oy * $strideY - $padY + ky * $dilationY;
            if (iy < 0 || iy >= $inHeight) continue;
            for (int kx = 0; kx < $kernelWidth; kx++) {
              $products
            }
          }
          """);

  private static final Template TRANSPOSED_TAPS =
      Template.of(
          "transposed convolution to few channels, taps",
          """
          for (int ky = (oy + $padY) % $strideY; ky < $kernelHeight; ky += $strideY) {
            const int iy = (oy + $padY - ky) / $strideY;
            if (iy < 0 || iy >= $inHeight) continue;
            $products
          }
          """);

  private static final Template PRODUCTS =
      Template.of(
          "convolution to few channels, products",
          """
          {
            const int ix = $column;
            @global const float* p = x + iy * ${rowStride}L + ix * ${pixelStride}L;
            @global const float* f = w + ((k * $kernelHeight + ky) * $kernelWidth + $tap) * ${channels}L;
            if (isInside) {
              for (int c = 0; c < $blocks; c++, p += ${blockStride}L, f += 16) {
                $weights
                $all
              }
            } else {
              for (int c = 0; c < $blocks; c++, p += ${blockStride}L, f += 16) {
                $weights
                $tested
              }
            }
          }
          """);

  /// The form of a convolution whose operands and result have sizes and strides that the text can
  /// hold, if its channels fill vectors.
  public static boolean fits(Node node, Window window, VectorEpilogue epilogue) {
    TensorType x = node.inputs().getFirst().type();
    return window.rank() <= 2
        && x.dim(1).isMultipleOf(LANES)
        && Stream.concat(node.inputs().stream(), Stream.of(node.output()))
            .map(Value::type)
            .allMatch(type -> type.element() == ElementType.F32)
        && !epilogue.reads().contains(Read.ROW);
  }

  /// Whether the pixels of a transposed convolution's tiles have the same taps in each of them.
  public static boolean repeats(Window window) {
    return window.rank() == 2
        && window.dilations().stream().allMatch(d -> d == 1)
        && LANES % window.strides().get(1) == 0
        && window.kernel().get(1) <= MOST_TAPS * window.strides().get(1);
  }

  /// How the weights must lie.
  public Packing packing() {
    return new ChannelFilters(isTransposed);
  }

  /// Whether the arrays lie so that it can be written.
  public boolean canWrite(LoweredStep step) {
    IndexFunction x = step.inputs().getFirst().index();
    return Vectors.suits(x)
        && ChannelLanes.areBlocks(x)
        && x.axes().get(1).stride().equals(Affine.ONE)
        && isByChannel(step.output().index())
        && epilogue.same(step).allMatch(FewChannels::isByChannel);
  }

  private static boolean isByChannel(IndexFunction index) {
    return Vectors.suits(index) && !index.axes().get(1).isBlocked();
  }

  /// The kernel of a step.
  public KernelText.Written write(LoweredStep step) {
    return new Writer(step, this).write();
  }

  private static final class Writer {
    private final LoweredStep step;
    private final FewChannels form;
    private final KernelText text = new KernelText();
    private final List<String> extras = new ArrayList<>();
    private final LaneArray lanes = new LaneArray(ElementType.F32);
    private final IndexFunction x;
    private final Plane plane;
    private final long channels;
    private final long outputs;
    private final Affine images;
    private final boolean isOpen;

    private Writer(LoweredStep step, FewChannels form) {
      this.step = step;
      this.form = form;
      TensorType in = step.node().inputs().getFirst().type();
      TensorType out = step.node().output().type();
      x = step.inputs().getFirst().index();
      plane = Plane.of(form.window, in, out, x, !form.isTransposed && isFlat());
      channels = in.dim(1).asConstant();
      outputs = out.dim(1).asConstant();
      images = in.dim(0);
      isOpen = out.shape().stream().skip(2).anyMatch(Affine::isOpen);
    }

    private boolean isFlat() {
      return Vectors.isFlat(step.output().index())
          && form.epilogue.same(step).allMatch(Vectors::isFlat);
    }

    private static long rowStride(IndexFunction index) {
      return index.rank() < 4 ? 0 : index.axes().get(2).stride().asConstant();
    }

    private static long pixelStride(IndexFunction index) {
      return index.axes().getLast().stride().asConstant();
    }

    private KernelText.Written write() {
      text.pointer("x", CType.F32, step.inputs().get(0), false);
      text.pointer("w", CType.F32, step.inputs().get(1), false);
      for (int i = 2; i < step.inputs().size(); i++) {
        extras.add(text.pointer("e" + i, CType.F32, step.inputs().get(i), false));
      }
      text.pointer("y", CType.F32, step.output(), true);
      text.head(HEAD.text()).add(kernel());
      long taps = (long) plane.kernelHeight() * plane.kernelWidth();
      long products = outputs * (taps * channels + SUMS);
      return new KernelText.Written(
          text,
          new Launch.Items(
              images.times((long) plane.outHeight() * tiles()),
              (int) Math.max(1, GRAIN / products)));
    }

    private int tiles() {
      return Math.ceilDiv(plane.outWidth(), LANES);
    }

    /* Pixels of the input from one column of a transposed convolution's result to the next are one
    by its stride. The columns between have other taps each. */
    private int phases() {
      return form.isTransposed ? plane.strideX() : 1;
    }

    private int phase(int lane) {
      return (lane + (form.isTransposed ? plane.padX() : 0)) % phases();
    }

    /* Of the input, from the tile's left one on. */
    private int pixel(int lane) {
      return form.isTransposed ? (lane + plane.padX()) / plane.strideX() : lane * plane.strideX();
    }

    /* Taps that a phase has in a row at most. */
    private int reaching() {
      return Math.ceilDiv(plane.kernelWidth(), phases());
    }

    private Template.Filling kernel() {
      VectorText.Written value = VectorText.epilogue(step.node(), "raw", this::extra);
      return KERNEL
          .with(
              "tiles",
              isOpen ? IndexText.quotient(plane.outWidth(), LANES) : Integer.toString(tiles()))
          .with("rows", plane.outHeight())
          .with("images", IndexText.affine(images))
          .with("offset", IndexText.affine(x.offset()))
          .with("image", IndexText.affine(x.axes().getFirst().stride()))
          .with("starts", starts())
          .with(
              "left",
              form.isTransposed
                  ? "tile * " + LANES / plane.strideX()
                  : "ox * %d - %d".formatted(plane.strideX(), plane.padX()))
          .with("width", plane.outWidth())
          .with("before", form.isTransposed ? reaching() - 1 - pixel(0) : 0)
          .with("reach", reach())
          .with("inWidth", plane.inWidth())
          .with("outputs", outputs)
          .with("zeros", eachLane(lane -> "float16 a" + lane + " = 0;", "\n"))
          .with("taps", taps())
          .with("sums", eachLane(lane -> "a" + lane, ", "))
          .with("prepare", value.statements())
          .with("store", store(value.value()));
    }

    private static String eachLane(IntFunction<String> text, String between) {
      return IntStream.range(0, LANES).mapToObj(text).collect(Collectors.joining(between));
    }

    /* From the tile's left pixel to the last tap of its last one. */
    private int reach() {
      int taps = form.isTransposed ? 0 : (plane.kernelWidth() - 1) * plane.dilationX();
      return pixel(LANES - 1) + taps;
    }

    private String taps() {
      Template.Filling taps =
          form.isTransposed
              ? TRANSPOSED_TAPS.with("products", transposedProducts())
              : TAPS.with("dilationY", plane.dilationY())
                  .with("kernelWidth", plane.kernelWidth())
                  .with("products", products("left + kx * " + plane.dilationX(), "kx", 0));
      return taps.with("kernelHeight", plane.kernelHeight())
          .with("strideY", plane.strideY())
          .with("padY", plane.padY())
          .with("inHeight", plane.inHeight())
          .text();
    }

    private String transposedProducts() {
      return IntStream.range(0, reaching())
          .mapToObj(j -> products("left - " + j, Integer.toString(j * phases()), j * phases()))
          .collect(Collectors.joining("\n"));
    }

    /* Of a tap for each phase that has one.
     *
     * @param first the number of the first phase's, where it is known
     */
    private String products(String column, String tap, int first) {
      List<Integer> own =
          IntStream.range(0, phases())
              .filter(phase -> first + phase < plane.kernelWidth())
              .boxed()
              .toList();
      String weights =
          own.stream()
              .map(phase ->
                  "const float16 v%d = @load(16, 0, f + %d);".formatted(phase, phase * channels))
              .collect(Collectors.joining("\n"));
      return PRODUCTS
          .with("column", column)
          .with("tap", tap)
          .with("rowStride", plane.rowStride())
          .with("pixelStride", plane.pixelStride())
          .with("kernelHeight", plane.kernelHeight())
          .with("kernelWidth", plane.kernelWidth())
          .with("channels", channels)
          .with("blocks", channels / LANES)
          .with("blockStride", x.axes().get(1).outerStride().asConstant())
          .with("weights", weights)
          .with("all", eachPixel(own, this::product))
          .with("tested", eachPixel(own, this::testedProduct))
          .text();
    }

    private String eachPixel(List<Integer> phases, IntFunction<String> text) {
      return IntStream.range(0, LANES)
          .filter(lane -> phases.contains(phase(lane)))
          .mapToObj(text)
          .collect(Collectors.joining("\n"));
    }

    private String product(int lane) {
      return "a%1$d = fma(@load(16, 0, p + %2$d), v%3$d, a%1$d);"
          .formatted(lane, pixel(lane) * plane.pixelStride(), phase(lane));
    }

    private String testedProduct(int lane) {
      return "if (ix + %1$d >= 0 && ix + %1$d < %2$d) %3$s"
          .formatted(pixel(lane), plane.inWidth(), product(lane));
    }

    private String starts() {
      List<String> starts = new ArrayList<>(List.of(start("at", step.output().index())));
      form.epilogue
          .same()
          .forEach(i -> starts.add(start("at" + i, step.inputs().get(i + 2).index())));
      return String.join("\n", starts);
    }

    private static String start(String name, IndexFunction index) {
      return "const long %s = %s + item * %s + oy * %dL;"
          .formatted(
              name,
              IndexText.affine(index.offset()),
              IndexText.affine(index.axes().getFirst().stride()),
              rowStride(index));
    }

    private static String place(String at, IndexFunction index) {
      return "%s + k * %dL + ox * %dL"
          .formatted(at, index.axes().get(1).stride().asConstant(), pixelStride(index));
    }

    private String store(String value) {
      IndexFunction y = step.output().index();
      String to = "y + " + place("at", y);
      long stride = pixelStride(y);
      return stride == 1
          ? lanes.store("count", value, to)
          : lanes.spread("count", value, to, stride);
    }

    private String extra(int i) {
      IndexFunction index = step.inputs().get(i + 2).index();
      return switch (form.epilogue.reads().get(i)) {
        case LANES -> lanes.repeated(extras.get(i) + "[k]");
        case SINGLE -> lanes.single(extras.get(i), index);
        case SAME -> same(extras.get(i) + " + " + place("at" + i, index), pixelStride(index));
        case ROW -> throw new IllegalStateException("few channels fill no vector");
      };
    }

    private String same(String from, long stride) {
      return stride == 1 ? lanes.load("count", from) : lanes.gather("count", from, stride);
    }
  }
}
