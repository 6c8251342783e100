package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.List;
import java.util.Optional;

/// The windows of images as the rows of a matrix that is never made: line `m` is an output pixel,
/// depth `k` a tap of its window and an input channel, channels innermost. Taps on padding are not
/// loaded.
///
/// @param index how the images lie, axes N, C and one or two spatial ones
/// @param output spatial extents of the result
/// @param lines text of the number of output pixels
/// @param depth text of the depth, empty where panels end with it
/// @param table what follows of each depth, where it is worked out beforehand
public record ImageSource(
    String pointer,
    IndexFunction index,
    Window window,
    List<Affine> output,
    String lines,
    String depth,
    Optional<TapTable> table)
    implements Panel.Source {

  /// A line that no tap of any window comes near.
  private static final int OUTSIDE = -(1 << 28);

  /// The windows of a convolution.
  ///
  /// @param output spatial extents of the result
  /// @param lines text of the number of output pixels
  /// @param depth products per element
  /// @param tile whose left panel they are
  /// @param alongDepth whether neighbouring work items load neighbouring channels
  public static Panel.Source of(
      String pointer,
      IndexFunction index,
      Window window,
      List<Affine> output,
      String lines,
      long depth,
      ProductTile tile,
      boolean alongDepth) {
    String end = depth % tile.depth() == 0 ? "" : Long.toString(depth);
    if (window.kernel().stream().allMatch(k -> k == 1)) {
      return new PixelSource(pointer, index, window, output, lines, end);
    }
    Optional<TapTable> table =
        alongDepth
            ? Optional.empty()
            : TapTable.of(window, index, depth, tile.depth(), tile.items());
    return new ImageSource(pointer, index, window, output, lines, end, table);
  }

  private static final Template PIXEL =
      Template.of(
          "image source, pixel",
          """
          const long m = m0 + line;
          const uint pixel = (uint)(m % $pixels);
          ${name}_y[i] = m < $lines ? (int)(pixel / ${width}u) * $strideY - $padY : $outside;
          ${name}_x[i] = (int)(pixel % ${width}u) * $strideX - $padX;
          ${name}_image[i] = $offset + m / $pixels * $stride + ((long)${name}_y[i] * $stepY + (long)${name}_x[i] * $stepX);
          """);

  private static final Template TAP =
      Template.of(
          "image source, tap",
          """
          const int tap = k / $channels;
          const int dy = tap / $kernel * $dilationY, dx = tap % $kernel * $dilationX;
          const long place = (long)dy * $stepY + (long)dx * $stepX + (long)(k % $channels) * $stepChannel;
          """);

  private static final Template NEAR =
      Template.of(
          "image source, tap of a line",
          "const int iy = ${name}_y[i] + $dy, ix = ${name}_x[i] + $dx;");

  private Spatial spatial(int fromLast) {
    return Spatial.of(window, index, fromLast);
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
        .with("stride", images.extent().isSingle() ? "0" : IndexText.affine(images.stride()))
        .with("lines", lines)
        .with("strideY", spatial(1).stride())
        .with("padY", spatial(1).pad())
        .with("stepY", spatial(1).step())
        .with("strideX", spatial(0).stride())
        .with("padX", spatial(0).pad())
        .with("stepX", spatial(0).step())
        .with("outside", OUTSIDE)
        .text();
  }

  @Override
  public String conclude() {
    return table.isEmpty() ? "" : table.get().fill(tap());
  }

  @Override
  public Panel.Load load(String name) {
    return table.isEmpty()
        ? load(name, tap(), "dy", "dx", "place")
        : load(name, "", TapTable.DY, TapTable.DX, TapTable.PLACE);
  }

  /* What follows of depth `k`. */
  private String tap() {
    Spatial y = spatial(1);
    Spatial x = spatial(0);
    return TAP.with("channels", channels().extent().asConstant())
        .with("kernel", x.kernel())
        .with("dilationY", y.dilation())
        .with("dilationX", x.dilation())
        .with("stepY", y.step())
        .with("stepX", x.step())
        .with("stepChannel", channels().stride().asConstant())
        .text();
  }

  private Panel.Load load(String name, String ofDepth, String dy, String dx, String place) {
    String near = NEAR.with("name", name).with("dy", dy).with("dx", dx).text();
    String inside =
        "(uint)iy < " + spatial(1).extent() + "u && (uint)ix < " + spatial(0).extent() + "u";
    return new Panel.Load(
        ofDepth,
        near,
        depth.isEmpty() ? inside : inside + " && k < " + depth,
        name + "_image[i] + " + place);
  }

  private Axis channels() {
    return index.axes().get(1);
  }

  @Override
  public String about() {
    boolean innermost = index.axes().get(1).stride().isSingle();
    return "the windows of output pixels, a pixel a line, which are never made; channels "
        + (innermost ? "innermost (NHWC)" : "not innermost");
  }
}
