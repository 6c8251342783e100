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
/// @param index how the images lie, axes N, C and one to three spatial ones
/// @param channels of the images that a window reads, from the first one that the pointer has
/// @param output spatial extents of the result
/// @param lines text of the number of output pixels
/// @param depth text of the depth, empty where panels end with it
/// @param table what follows of each depth, where it is worked out beforehand
public record ImageSource(
    String pointer,
    IndexFunction index,
    long channels,
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
  /// @param channels that a window reads
  /// @param output spatial extents of the result
  /// @param lines text of the number of output pixels
  /// @param depth products per element
  /// @param tile whose left panel they are
  /// @param alongDepth whether neighbouring work items load neighbouring channels
  public static Panel.Source of(
      String pointer,
      IndexFunction index,
      long channels,
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
            : TapTable.of(window, index, channels, depth, tile.depth(), tile.items());
    return new ImageSource(pointer, index, channels, window, output, lines, end, table);
  }

  private static final Template PIXEL =
      Template.of(
          "image source, pixel",
          """
          const long m = m0 + line;
          const uint pixel = (uint)(m % $pixels);
          $deep
          ${name}_y[i] = m < $lines ? (int)($row) * $strideY - $padY : $outside;
          ${name}_x[i] = (int)(pixel % ${width}u) * $strideX - $padX;
          ${name}_image[i] = $offset + m / $pixels * $stride + ($plane(long)${name}_y[i] * $stepY + (long)${name}_x[i] * $stepX);
          """);

  private static final Template DEEP =
      Template.of(
          "image source, pixel of an image of three axes",
          "${name}_z[i] = (int)(pixel / ${area}u) * $stride - $pad;");

  private static final Template TAP =
      Template.of(
          "image source, tap",
          """
          const int tap = k / $channels;
          const int ${dz}dy = $row * $dilationY, dx = tap % $kernel * $dilationX;
          const long place = $plane(long)dy * $stepY + (long)dx * $stepX + (long)(k % $channels) * $stepChannel;
          """);

  private static final Template NEAR =
      Template.of(
          "image source, tap of a line",
          "const int ${iz}iy = ${name}_y[i] + $dy, ix = ${name}_x[i] + $dx;");

  private Spatial spatial(int fromLast) {
    return Spatial.of(window, index, fromLast);
  }

  private boolean isDeep() {
    return output.size() > 2;
  }

  @Override
  public String declarations(String name, int loads) {
    String deep = isDeep() ? "%s_z[%d], ".formatted(name, loads) : "";
    return "long %1$s_image[%2$d];\nint %3$s%1$s_y[%2$d], %1$s_x[%2$d];"
        .formatted(name, loads, deep);
  }

  @Override
  public String set(String name) {
    long width = Spatial.pixels(output, 0);
    long area = width * Spatial.pixels(output, 1);
    String row = "pixel / " + width + "u";
    Axis images = index.axes().getFirst();
    return PIXEL
        .with("name", name)
        .with("pixels", area * Spatial.pixels(output, 2))
        .with("deep", isDeep() ? deep(name, area) : "")
        .with("row", isDeep() ? row + " % " + Spatial.pixels(output, 1) + "u" : row)
        .with("plane", isDeep() ? "(long)%s_z[i] * %d + ".formatted(name, spatial(2).step()) : "")
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

  private String deep(String name, long area) {
    return DEEP.with("name", name)
        .with("area", area)
        .with("stride", spatial(2).stride())
        .with("pad", spatial(2).pad())
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
    int area = x.kernel() * y.kernel();
    String row = "tap / " + x.kernel();
    return TAP.with("channels", channels)
        .with("kernel", x.kernel())
        .with("dz", isDeep() ? "dz = tap / %d * %d, ".formatted(area, spatial(2).dilation()) : "")
        .with("row", isDeep() ? row + " % " + y.kernel() : row)
        .with("plane", isDeep() ? "(long)dz * " + spatial(2).step() + " + " : "")
        .with("dilationY", y.dilation())
        .with("dilationX", x.dilation())
        .with("stepY", y.step())
        .with("stepX", x.step())
        .with("stepChannel", index.axes().get(1).stride().asConstant())
        .text();
  }

  private Panel.Load load(String name, String ofDepth, String dy, String dx, String place) {
    String iz = isDeep() ? "iz = " + name + "_z[i] + dz, " : "";
    String near = NEAR.with("name", name).with("iz", iz).with("dy", dy).with("dx", dx).text();
    String inside =
        (isDeep() ? "(uint)iz < " + spatial(2).extent() + "u && " : "")
            + "(uint)iy < "
            + spatial(1).extent()
            + "u && (uint)ix < "
            + spatial(0).extent()
            + "u";
    return new Panel.Load(
        ofDepth,
        near,
        depth.isEmpty() ? inside : inside + " && k < " + depth,
        name + "_image[i] + " + place);
  }

  @Override
  public String about() {
    boolean innermost = index.axes().get(1).stride().isSingle();
    return "the windows of output pixels, a pixel a line, which are never made; channels "
        + (innermost ? "innermost (NHWC)" : "not innermost");
  }
}
