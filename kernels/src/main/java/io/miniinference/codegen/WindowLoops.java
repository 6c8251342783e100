package io.miniinference.codegen;

import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import java.util.ArrayList;
import java.util.List;

/// Loops over the taps of a window at one output position; variables `i2…` are the output's spatial
/// coordinates, `p2…` the input's, `k2…` the taps.
public record WindowLoops(Window window, TensorType input) {

  /// Opens one loop per spatial axis and skips taps that fall on padding.
  public void open(KernelText text) {
    for (int d = 0; d < window.rank(); d++) {
      int axis = d + 2;
      text.open(
          "for (int kA = 0; kA < K; kA++)"
              .replace("A", "" + axis)
              .replace("K;", window.kernel().get(d) + ";"));
      text.line(
          "const long p"
              + axis
              + " = i"
              + axis
              + " * "
              + window.strides().get(d)
              + " - "
              + window.padsBegin().get(d)
              + " + k"
              + axis
              + " * "
              + window.dilations().get(d)
              + ";");
      text.line(
          "if (p"
              + axis
              + " < 0 || p"
              + axis
              + " >= "
              + IndexText.affine(input.dim(axis))
              + ") continue;");
    }
  }

  /// Opens one loop per spatial axis over the taps that reach this output position of a transposed
  /// convolution, `p…` being the input position they come from.
  public void openTransposed(KernelText text) {
    for (int d = 0; d < window.rank(); d++) {
      int axis = d + 2;
      int stride = window.strides().get(d);
      text.open(
          "for (int kA = 0; kA < K; kA++)"
              .replace("A", "" + axis)
              .replace("K;", window.kernel().get(d) + ";"));
      text.line(
          "const long q"
              + axis
              + " = i"
              + axis
              + " + "
              + window.padsBegin().get(d)
              + " - k"
              + axis
              + " * "
              + window.dilations().get(d)
              + ";");
      text.line("if (q" + axis + " < 0 || q" + axis + " % " + stride + " != 0) continue;");
      text.line("const long p" + axis + " = q" + axis + " / " + stride + ";");
      text.line("if (p" + axis + " >= " + IndexText.affine(input.dim(axis)) + ") continue;");
    }
  }

  public void close(KernelText text) {
    for (int d = 0; d < window.rank(); d++) {
      text.close();
    }
  }

  /// Input coordinates of the current tap in a channel.
  public List<Coordinate> tap(Coordinate image, Coordinate channel) {
    List<Coordinate> result = new ArrayList<>(List.of(image, channel));
    for (int d = 0; d < window.rank(); d++) {
      result.add(Coordinate.of("p" + (d + 2)));
    }
    return result;
  }

  /// Weight coordinates of the current tap.
  public List<Coordinate> weight(String first, String second) {
    List<Coordinate> result = new ArrayList<>(List.of(Coordinate.of(first), Coordinate.of(second)));
    for (int d = 0; d < window.rank(); d++) {
      result.add(Coordinate.of("k" + (d + 2)));
    }
    return result;
  }
}
