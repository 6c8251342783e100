package io.miniinference.codegen;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import java.util.ArrayList;
import java.util.List;

/// Loops over the taps of a window at one output position; variables `i2…` are the output's spatial
/// coordinates, `p2…` the input's, `k2…` the taps.
public record WindowLoops(Window window, TensorType input) {
  private static final Template TAPS =
      Template.of(
          "taps along an axis",
          """
          for (int k$axis = 0; k$axis < $taps; k$axis++) {
            const long p$axis = i$axis * $stride - $pad + k$axis * $dilation;
            if (p$axis < 0 || p$axis >= $extent) continue;
            $body
          }
          """);

  private static final Template TRANSPOSED =
      Template.of(
          "taps along an axis, turned round",
          """
          for (int k$axis = 0; k$axis < $taps; k$axis++) {
            const long q$axis = i$axis + $pad - k$axis * $dilation;
            if (q$axis < 0 || q$axis % $stride != 0) continue;
            const long p$axis = q$axis / $stride;
            if (p$axis >= $extent) continue;
            $body
          }
          """);

  /// `body` in one loop per spatial axis, which skips taps that fall on padding.
  public String over(Object body) {
    return over(window.rank(), body);
  }

  /// The same along the first axes of the window.
  ///
  /// @param axes how many
  public String over(int axes, Object body) {
    return nest(TAPS, axes, body);
  }

  /// `body` in one loop per spatial axis over the taps that reach this output position of a
  /// transposed convolution, `p…` being the input position they come from.
  public String overTransposed(Object body) {
    return nest(TRANSPOSED, window.rank(), body);
  }

  private String nest(Template loop, int axes, Object body) {
    String text = body.toString();
    for (int d = axes - 1; d >= 0; d--) {
      text =
          loop.with("axis", d + 2)
              .with("taps", window.kernel().get(d))
              .with("stride", window.strides().get(d))
              .with("pad", window.padsBegin().get(d))
              .with("dilation", window.dilations().get(d))
              .with("extent", IndexText.affine(input.dim(d + 2)))
              .with("body", text)
              .text();
    }
    return text;
  }

  /// Statement that makes the result of a pool of variable `acc`, which took the `count` taps
  /// inside the input; empty where it is that. A window without taps is 0/0 in floats, and 0 in
  /// integers, which must not be divided.
  public String divided(Op.PoolKind kind, ElementType element) {
    return switch (kind) {
      case MAX, SUM -> "";
      case AVERAGE -> element.isFloat() ? "acc /= count;" : "if (count) acc /= count;";
      case AVERAGE_WITH_PADDING -> "acc /= " + paddedCount() + ";";
    };
  }

  private static final Template PADDED =
      Template.of(
          "taps inside input or padding",
          "min((long)$taps, (${end}L - i$axis * $stride) / $dilation)");

  /// Text of the number of taps inside input or padding: a window of ceil mode may hang over the
  /// padding's end.
  public String paddedCount() {
    return paddedCount(window.rank());
  }

  /// The same along the first axes of the window.
  ///
  /// @param axes how many
  public String paddedCount(int axes) {
    StringBuilder text = new StringBuilder("(1");
    for (int d = 0; d < axes; d++) {
      text.append(" * ").append(paddedAlong(d));
    }
    return text.append(')').toString();
  }

  private String paddedAlong(int d) {
    int dilation = window.dilations().get(d);
    long end = input.dim(d + 2).asConstant() + window.padsBegin().get(d) + window.padsEnd().get(d);
    return PADDED
        .with("taps", window.kernel().get(d))
        .with("end", end + dilation - 1)
        .with("axis", d + 2)
        .with("stride", window.strides().get(d))
        .with("dilation", dilation)
        .text();
  }

  /// Text of the number of the current tap among all of the window, row-major.
  public String number() {
    String tap = "0";
    for (int d = 0; d < window.rank(); d++) {
      tap = "(" + tap + " * " + window.kernel().get(d) + " + k" + (d + 2) + ")";
    }
    return tap;
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
