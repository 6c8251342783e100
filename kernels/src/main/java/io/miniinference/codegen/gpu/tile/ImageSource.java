package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.List;

/// The windows of images as the rows of a matrix that is never made: line `m` is an output pixel,
/// depth `k` a tap of its window and an input channel, channels innermost. Taps on padding are not
/// loaded.
///
/// @param index how the images lie, axes N, C and one or two spatial ones
/// @param output spatial extents of the result
/// @param lines text of the number of output pixels
/// @param depth text of the depth, empty where panels end with it
public record ImageSource(
    String pointer,
    IndexFunction index,
    Window window,
    List<Affine> output,
    String lines,
    String depth)
    implements Panel.Source {

  /// A line that no tap of any window comes near.
  private static final int OUTSIDE = -(1 << 28);

  private static final Template PIXEL =
      Template.of(
          "image source, pixel",
          """
          const long m = m0 + line;
          const uint pixel = (uint)(m % $pixels);
          ${name}_image[i] = $offset + m / $pixels * $stride;
          ${name}_y[i] = m < $lines ? (int)(pixel / ${width}u) * $strideY - $padY : $outside;
          ${name}_x[i] = (int)(pixel % ${width}u) * $strideX - $padX;
          """);

  private static final Template TAP =
      Template.of(
          "image source, tap",
          """
          const int tap = $tap, channel = $channel;
          const int iy = ${name}_y[i] + tap / $kernel * $dilationY, ix = ${name}_x[i] + tap % $kernel * $dilationX;
          """);

  /* Texts of one spatial axis; images of one axis are one pixel high. */
  private record Spatial(int kernel, int stride, int dilation, int pad, long extent, long step) {
    static final Spatial SINGLE = new Spatial(1, 1, 1, 0, 1, 0);
  }

  private Spatial spatial(int fromLast) {
    int d = window.rank() - 1 - fromLast;
    if (d < 0) {
      return Spatial.SINGLE;
    }
    Axis axis = index.axes().get(d + 2);
    return new Spatial(
        window.kernel().get(d),
        window.strides().get(d),
        window.dilations().get(d),
        window.padsBegin().get(d),
        axis.extent().asConstant(),
        axis.stride().asConstant());
  }

  private long outputExtent(int fromLast) {
    int d = output.size() - 1 - fromLast;
    return d < 0 ? 1 : output.get(d).asConstant();
  }

  @Override
  public String declarations(String name, int loads) {
    return "long %1$s_image[%2$d];\nint %1$s_y[%2$d], %1$s_x[%2$d];".formatted(name, loads);
  }

  @Override
  public String set(String name) {
    long width = outputExtent(0);
    Axis images = index.axes().getFirst();
    return PIXEL
        .with("name", name)
        .with("pixels", width * outputExtent(1))
        .with("width", width)
        .with("offset", IndexText.affine(index.offset()))
        .with(
            "stride", images.extent().equals(Affine.ONE) ? "0" : IndexText.affine(images.stride()))
        .with("lines", lines)
        .with("strideY", spatial(1).stride())
        .with("padY", spatial(1).pad())
        .with("strideX", spatial(0).stride())
        .with("padX", spatial(0).pad())
        .with("outside", OUTSIDE)
        .text();
  }

  @Override
  public Panel.Load load(String name) {
    Spatial y = spatial(1);
    Spatial x = spatial(0);
    Axis channels = index.axes().get(1);
    boolean pointwise = x.kernel() == 1 && y.kernel() == 1;
    long count = channels.extent().asConstant();
    String tap =
        TAP.with("tap", pointwise ? "0" : "k / " + count)
            .with("channel", pointwise ? "k" : "k % " + count)
            .with("name", name)
            .with("kernel", x.kernel())
            .with("dilationY", y.dilation())
            .with("dilationX", x.dilation())
            .text();
    String inside = "(uint)iy < " + y.extent() + "u && (uint)ix < " + x.extent() + "u";
    String offset =
        "%s_image[i] + (iy * %d + ix * %d + channel * %s)"
            .formatted(name, y.step(), x.step(), channels.stride());
    return new Panel.Load(tap, depth.isEmpty() ? inside : inside + " && k < " + depth, offset);
  }

  @Override
  public String about() {
    boolean innermost = index.axes().get(1).stride().equals(Affine.ONE);
    return "the windows of output pixels, a pixel a line, which are never made; channels "
        + (innermost ? "innermost (NHWC)" : "not innermost");
  }
}
