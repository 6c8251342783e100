package io.miniinference.codegen.gpu.strip;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.FourResults;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.device.Launch;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// A direct convolution of images with few input channels, or with a filter for each channel: too
/// little is added up for tiles through local memory, and loads are what it takes. A work item owns
/// four channels of a strip of neighbouring pixels, so that it loads a weight once for all of them,
/// and an input once for all of their windows.
///
/// It adds up a result's products in the order in which a work item for single pixels does, so that
/// a row has the same bits in any batch.
public final class StripKernel {
  /// Work items of a work-group.
  static final int GROUP = 128;

  private static final Template HEAD =
      Template.of(
          "strip of a convolution, head",
          """
          A work item owns four channels of $pixels neighbouring pixels of a line, in registers: it loads a weight once for all of
          them, and of each line under the windows the $loads inputs once. Neighbouring work items have neighbouring channels.
          """);

  private static final Template KERNEL =
      Template.of(
          "strip of a convolution",
          """
          const long item = ((long)first + @groupId(0)) * $group + @localId;
          if (item >= $count) return;
          $coordinates
          const long i1 = quad * 4;
          const int begin = (int)strip * $pixels;
          const int top = (int)i2 * $strideY - $padY, left = begin * $strideX - $padX;
          float4 acc[$pixels];
          @unroll
          for (int p = 0; p < $pixels; p++) acc[p] = @splat(4, 0);
          for (int ky = 0; ky < $height; ky++) {
            const int line = top + ky * $dilationY;
            if (line < 0 || line >= $imageHeight) continue;
            $type v[$numbers];
            $loads
            @unroll
            for (int kx = 0; kx < $width; kx++) {
              $products
            }
          }
          @unroll
          for (int p = 0; p < $pixels; p++) {
            const long i3 = begin + p;
            $finish
          }
          """);

  private static final Template CHANNELS =
      Template.of(
          "input channels of a strip",
          """
          @unroll
          for (int c = 0; c < $channels; c++) {
            $body
          }
          """);

  private static final Template LOADS =
      Template.of(
          "line under a strip",
          """
          const long at = $at;
          @unroll
          for (int i = 0; i < $loads; i++) {
            const int column = left + i;
            v[$place] = column >= 0 && column < $imageWidth ? $load : $zero;
          }
          """);

  private static final Template PRODUCTS =
      Template.of(
          "tap of a strip",
          """
          const float4 weight = $weight;
          @unroll
          for (int p = 0; p < $pixels; p++) acc[p] = fma($value, weight, acc[p]);
          """);

  private static final Template FINISH =
      Template.of(
          "four results",
          """
          $guard
          float4 r;
          $parts
          $store
          """);

  private final StepText s;
  private final int pixels;
  private final Window window;
  private final TensorType images;
  private final TensorType out;
  private final boolean depthwise;

  private StripKernel(LoweredStep step, int pixels) {
    this.s = new StepText(step, GROUP);
    this.pixels = pixels;
    window = ((Op.Conv) step.node().op()).window();
    images = step.node().inputs().getFirst().type();
    out = step.node().output().type();
    depthwise = isDepthwise(step.node());
  }

  /// Whether each output channel is of an input channel of its own.
  public static boolean isDepthwise(Node node) {
    Op.Conv op = (Op.Conv) node.op();
    TensorType w = node.inputs().get(1).type();
    return op.groups() > 1 && w.dim(1).isSingle() && w.dim(0).equals(Affine.of(op.groups()));
  }

  /// Whether channels of the result, and of images with a filter for each channel, can be reached
  /// four at a time. The strides of the images must be fixed besides.
  public static boolean canWrite(LoweredStep step) {
    IndexFunction from = step.inputs().getFirst().index();
    return TiledProduct.isVector(step.output().index(), 1)
        && (!isDepthwise(step.node()) || TiledProduct.isVector(from, 1));
  }

  /// @param pixels of a strip
  public static KernelText.Written write(LoweredStep step, int pixels) {
    return new StripKernel(step, pixels).write();
  }

  private KernelText.Written write() {
    s.text().head(HEAD.with("pixels", pixels).with("loads", loads()).text());
    s.text().add(kernel());
    Launch.Extent items = new Launch.Extent(places().count(), GROUP, GROUP);
    return new KernelText.Written(s.text(), new Launch.Groups(List.of(items)));
  }

  /* Neighbours in the order of memory: channels, strips of a line, lines, images. */
  private Decoding places() {
    return new Decoding(
        List.of(
            new Decoding.Coordinate("i0", out.dim(0)),
            new Decoding.Coordinate("i2", out.dim(2)),
            new Decoding.Coordinate(
                "strip", Affine.of(Math.ceilDiv(out.dim(3).constant(), (long) pixels))),
            new Decoding.Coordinate("quad", Affine.of(out.dim(1).constant() / 4))));
  }

  /* Inputs of a line under the windows of a strip. */
  private int loads() {
    return (pixels - 1) * window.strides().get(1) + window.span(1);
  }

  private Template.Filling kernel() {
    return KERNEL
        .with("group", GROUP)
        .with("count", IndexText.affine(places().count()))
        .with("coordinates", places().declarations("item"))
        .with("pixels", pixels)
        .with("strideY", window.strides().get(0))
        .with("padY", window.padsBegin().get(0))
        .with("strideX", window.strides().get(1))
        .with("padX", window.padsBegin().get(1))
        .with("height", window.kernel().get(0))
        .with("dilationY", window.dilations().get(0))
        .with("imageHeight", images.dim(2).constant())
        .with("type", depthwise ? "float4" : "float")
        .with("numbers", loads() * (depthwise ? 1 : channels()))
        .with("loads", eachChannel(loadsOfLine()))
        .with("width", window.kernel().get(1))
        .with("products", eachChannel(products()))
        .with("finish", finish());
  }

  /* Input channels of a filter. */
  private long channels() {
    return s.step().node().inputs().get(1).type().dim(1).constant();
  }

  private Template.Filling eachChannel(Template.Filling body) {
    return depthwise ? body : CHANNELS.with("channels", channels()).with("body", body);
  }

  private Template.Filling loadsOfLine() {
    IndexFunction from = s.step().inputs().getFirst().index();
    Coordinate channel = Coordinate.of(depthwise ? "i1" : "c");
    List<Coordinate> line =
        List.of(Coordinate.of("i0"), channel, Coordinate.of("line"), Coordinate.ZERO);
    String column = "at + column * " + from.axes().get(3).stride().constant() + "L";
    String load =
        depthwise ? s.type(0).readFour(s.pointer(0), column) : s.type(0).read(s.pointer(0), column);
    return LOADS
        .with("at", IndexText.offset(from, line))
        .with("loads", loads())
        .with("place", place("i"))
        .with("imageWidth", images.dim(3).constant())
        .with("load", load)
        .with("zero", depthwise ? "@splat(4, 0)" : "0.0f");
  }

  /* Where an input of a line is held. */
  private String place(String input) {
    return depthwise ? input : "c * " + loads() + " + " + input;
  }

  private Template.Filling products() {
    String tap = "p * " + window.strides().get(1) + " + kx * " + window.dilations().get(1);
    String value = "v[" + place(tap) + "]";
    return PRODUCTS
        .with("weight", s.type(1).readFour(s.pointer(1), weight()))
        .with("pixels", pixels)
        .with("value", depthwise ? value : "@splat(4, " + value + ")");
  }

  /* Packed by taps, input channels and output channels. */
  private String weight() {
    String tap = "(ky * " + window.kernel().get(1) + " + kx)";
    String line = depthwise ? tap : "(" + tap + " * " + channels() + " + c)";
    return line + " * " + out.dim(1).constant() + "L + i1";
  }

  private Template.Filling finish() {
    long line = out.dim(3).constant();
    return FINISH
        .with("guard", line % pixels == 0 ? "" : "if (i3 >= " + line + ") break;")
        .with("parts", FourResults.parts(s, "acc[p]"))
        .with(
            "store",
            s.outputType()
                .writeFour(
                    s.output(),
                    IndexText.offset(s.step().output().index(), FourResults.at(0)),
                    "r"));
  }
}
