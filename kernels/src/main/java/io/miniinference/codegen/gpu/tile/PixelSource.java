package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.List;

/// The pixels of images under windows of one tap as the rows of a matrix: line `m` is an output
/// pixel, depth `k` an input channel.
///
/// @param index how the images lie, axes N, C and one to three spatial ones
/// @param output spatial extents of the result
/// @param lines text of the number of output pixels
/// @param depth text of the depth, empty where panels end with it
record PixelSource(
    String pointer,
    IndexFunction index,
    Window window,
    List<Affine> output,
    String lines,
    String depth)
    implements Panel.Source {
  private static final Template PIXEL =
      Template.of(
          "pixel source",
          """
          const long m = m0 + line;
          const uint pixel = (uint)(m % $pixels);
          $deep
          const int y = (int)($row) * $strideY - $padY, x = (int)(pixel % ${width}u) * $strideX - $padX;
          const bool inside = m < $lines && $near(uint)y < ${height}u && (uint)x < ${breadth}u;
          ${name}_line[i] = inside ? $offset + m / $pixels * $stride + ($plane(long)y * $stepY + (long)x * $stepX) : -1;
          """);

  @Override
  public String declarations(String name, int loads) {
    return "long " + name + "_line[" + loads + "];";
  }

  @Override
  public String set(String name) {
    Spatial y = Spatial.of(window, index, 1);
    Spatial x = Spatial.of(window, index, 0);
    Axis images = index.axes().getFirst();
    Spatial z = Spatial.of(window, index, 2);
    boolean deep = output.size() > 2;
    long width = Spatial.pixels(output, 0);
    String row = "pixel / " + width + "u";
    boolean one = images.extent().isSingle();
    return PIXEL
        .with("name", name)
        .with("pixels", width * Spatial.pixels(output, 1) * Spatial.pixels(output, 2))
        .with("deep", deep ? deep(z) : "")
        .with("near", deep ? "(uint)z < " + z.extent() + "u && " : "")
        .with("plane", deep ? "(long)z * " + z.step() + " + " : "")
        .with("row", deep ? row + " % " + Spatial.pixels(output, 1) + "u" : row)
        .with("width", width)
        .with("offset", IndexText.affine(index.offset()))
        .with("stride", one ? "0" : IndexText.affine(images.stride()))
        .with("lines", lines)
        .with("strideY", y.stride())
        .with("padY", y.pad())
        .with("stepY", y.step())
        .with("height", y.extent())
        .with("strideX", x.stride())
        .with("padX", x.pad())
        .with("stepX", x.step())
        .with("breadth", x.extent())
        .text();
  }

  private String deep(Spatial z) {
    return "const int z = (int)(pixel / %du) * %d - %d;"
        .formatted(Spatial.pixels(output, 0) * Spatial.pixels(output, 1), z.stride(), z.pad());
  }

  @Override
  public Panel.Load load(String name) {
    Affine stride = index.axes().get(1).stride();
    String line = name + "_line[i]";
    return new Panel.Load(
        line + " >= 0" + (depth.isEmpty() ? "" : " && k < " + depth),
        line + " + " + (stride.isSingle() ? "k" : "(long)k * " + stride.asConstant()));
  }

  @Override
  public String about() {
    boolean innermost = index.axes().get(1).stride().isSingle();
    return "output pixels, one a line; channels "
        + (innermost ? "innermost (NHWC)" : "not innermost");
  }
}
