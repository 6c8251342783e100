package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.Template;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.IndexFunction;

/// The first of three spatial axes of a window, outside the planes of the other two: a kernel goes
/// over its taps one by one, and over none that lies in padding. Windows of fewer axes have one
/// plane of input and one of output, and no text for it.
///
/// @param stride elements from one plane of the input to the next
public record Depth(Window window, long in, long out, long stride) {
  private static final Template TAPS =
      Template.of(
          "planes of a window",
          """
          for (int kz = 0; kz < $taps; kz++) {
            const int iz = oz * $step - $pad + kz * $dilation;
            if (iz < 0 || iz >= $in) continue;
            $body
          }
          """);

  private static final Template TRANSPOSED_TAPS =
      Template.of(
          "planes that reach a plane",
          """
          for (int kz = 0; kz < $taps; kz++) {
            const int qz = oz + $pad - kz * $dilation;
            if (qz < 0 || qz % $step != 0 || qz / $step >= $in) continue;
            const int iz = qz / $step;
            $body
          }
          """);

  /// @param index how the input lies
  public static Depth of(Window window, TensorType input, TensorType output, IndexFunction index) {
    return window.rank() < 3
        ? new Depth(window, 1, 1, 0)
        : new Depth(
            window,
            input.dim(2).asConstant(),
            output.dim(2).asConstant(),
            index.axes().get(2).stride().asConstant());
  }

  /// Whether there are three axes.
  public boolean isThere() {
    return window.rank() == 3;
  }

  /// Taps along the axis.
  public int taps() {
    return isThere() ? window.kernel().getFirst() : 1;
  }

  /// Statements that take the plane of the output, `oz`, from a work item's number.
  public String place() {
    return isThere() ? "\nconst int oz = item % " + out + "; item /= " + out + ";" : "";
  }

  /// Planes of the output for one of the input, of a transposed convolution.
  public long step() {
    return isThere() ? window.strides().getFirst() : 1;
  }

  /// `body` for each tap `kz` that is a plane of the input, `iz`.
  public String over(String body) {
    return isThere() ? taps(TAPS, body) : body;
  }

  /// The same of a transposed convolution.
  public String overTransposed(String body) {
    return isThere() ? taps(TRANSPOSED_TAPS, body) : body;
  }

  private String taps(Template template, String body) {
    return template
        .with("taps", taps())
        .with("step", window.strides().getFirst())
        .with("pad", window.padsBegin().getFirst())
        .with("dilation", window.dilations().getFirst())
        .with("in", in)
        .with("body", body)
        .text();
  }

  /// Text of how far behind the first plane of an input plane `iz` lies.
  public String offset() {
    return isThere() ? " + iz * " + stride + "L" : "";
  }
}
