package io.miniinference.codegen.gpu;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
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
record ImageSource(
    String pointer,
    IndexFunction index,
    Window window,
    List<Affine> output,
    String lines,
    String depth)
    implements Panel.Source {

  /// A line that no tap of any window comes near.
  private static final int OUTSIDE = -(1 << 28);

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
  public void declare(KernelText text, String name, int loads, Runnable open) {
    long width = outputExtent(0);
    long pixels = width * outputExtent(1);
    Spatial y = spatial(1);
    Spatial x = spatial(0);
    Axis images = index.axes().getFirst();
    text.line("long IMAGE[LOADS];".replace("IMAGE", name + "_image").replace("LOADS", "" + loads));
    text.line("int " + name + "_y[" + loads + "], " + name + "_x[" + loads + "];");
    open.run();
    text.line("const long m = m0 + line;");
    text.line("const uint pixel = (uint)(m % " + pixels + ");");
    String stride = images.extent().equals(Affine.ONE) ? "0" : IndexText.affine(images.stride());
    text.line(
        name
            + "_image[i] = "
            + IndexText.affine(index.offset())
            + " + m / "
            + pixels
            + " * "
            + stride
            + ";");
    String row = "(int)(pixel / " + width + "u) * " + y.stride() + " - " + y.pad();
    text.line(name + "_y[i] = m < " + lines + " ? " + row + " : " + OUTSIDE + ";");
    text.line(
        name + "_x[i] = (int)(pixel % " + width + "u) * " + x.stride() + " - " + x.pad() + ";");
    text.close();
  }

  @Override
  public Panel.Load load(KernelText text, String name) {
    Spatial y = spatial(1);
    Spatial x = spatial(0);
    Axis channels = index.axes().get(1);
    boolean pointwise = x.kernel() == 1 && y.kernel() == 1;
    long count = channels.extent().asConstant();
    String tap = pointwise ? "0" : "k / " + count;
    text.line("const int tap = " + tap + ", channel = " + (pointwise ? "k" : "k % " + count) + ";");
    text.line(
        "const int iy = NAME_y[i] + tap / KERNEL * DY, ix = NAME_x[i] + tap % KERNEL * DX;"
            .replace("NAME", name)
            .replace("KERNEL", "" + x.kernel())
            .replace("DY", "" + y.dilation())
            .replace("DX", "" + x.dilation()));
    String inside = "(uint)iy < " + y.extent() + "u && (uint)ix < " + x.extent() + "u";
    String offset =
        "NAME_image[i] + (iy * ROW + ix * STEP + channel * CHANNEL)"
            .replace("NAME", name)
            .replace("ROW", "" + y.step())
            .replace("STEP", "" + x.step())
            .replace("CHANNEL", "" + channels.stride());
    return new Panel.Load(depth.isEmpty() ? inside : inside + " && k < " + depth, offset);
  }
}
