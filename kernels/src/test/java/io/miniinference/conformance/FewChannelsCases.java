package io.miniinference.conformance;

import static io.miniinference.conformance.WindowCases.conv;
import static io.miniinference.conformance.WindowCases.fused;
import static io.miniinference.conformance.WindowCases.window;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import java.util.List;

/// Convolutions and transposed ones to a picture's or a mask's few channels, of channels that fill
/// vectors.
final class FewChannelsCases {
  private static final List<Integer> NONE = List.of(0, 0);

  private static final Window POINT = window(2, 1, 1, 1, 0, 0);

  private FewChannelsCases() {}

  /* As a convolution leaves it. */
  private static Value blocked(Sheet s, Value x, long channels) {
    return s.at("b").conv(POINT, 1, x, s.constant(channels, channels, 1, 1));
  }

  static Sheet convolutions() {
    Sheet s = new Sheet("convolutions to few channels", 118).batches(2L, 0L, 1L);
    long[] widths = {1, 5, 16, 17, 37};
    for (int i = 0; i < widths.length; i++) {
      long width = widths[i];
      s.thinned(2, i);
      Value x = s.input(Sheet.batch(16, 4, width));
      conv(s, width + " wide", x, 3, window(2, 3, 1, 1, 1, 1), 1);
      conv(s, width + " wide, pointwise", blocked(s, x, 16), 1, POINT, 1);
      conv(s, width + " wide, stride 2, uneven pads", x, 2, window(2, 4, 2, 1, 1, 3), 1);
      conv(s, width + " wide, dilated", x, 5, window(2, 3, 1, 3, 4, 3), 1);
    }
    s.thinned(1, 0);
    Value line = s.input(Sheet.batch(48, 40));
    conv(s, "one axis", line, 1, window(1, 7, 1, 1, 3, 3), 1);
    conv(s, "one axis, strided", line, 2, window(1, 4, 3, 2, 0, 3), 1);
    Value wide = s.input(Sheet.batch(32, 5, 20));
    Window w = window(2, 3, 1, 1, 1, 1);
    conv(s, "pads wider than the plane", wide, 2, window(2, 9, 1, 1, 8, 8), 1);
    Value weights = s.constant(3, 32, 3, 3);
    Expr both = add(mul(arg(0), arg(2)), arg(1));
    Value bias = s.constant(3, 1, 1);
    Value same = s.input(Sheet.batch(3, 5, 20));
    fused(s, "bias", w, wide, weights, WindowCases.RELU, bias);
    fused(s, "scalar", w, wide, weights, WindowCases.RELU, s.constant());
    fused(s, "bias and residual", w, wide, weights, both, bias, same);
    Value turned = s.at("t").transpose(s.input(Sheet.batch(20, 5, 3)), List.of(0, 3, 2, 1));
    fused(s, "residual turned", w, wide, weights, both, bias, turned);
    Value flat = s.constant(3, 32, 1, 1);
    fused(s, "pointwise residual", POINT, blocked(s, wide, 32), flat, both, bias, same);
    fused(s, "pointwise, of rows", POINT, wide, flat, both, bias, same);
    Value result = s.at("r").conv(w, 1, wide, weights);
    s.check("turned result", s.at("r").transpose(result, List.of(0, 2, 3, 1)));
    return s;
  }

  static Sheet transposed() {
    Sheet s = new Sheet("transposed convolutions to few channels", 119).batches(2L, 0L, 1L);
    long[] widths = {1, 4, 8, 19};
    for (int i = 0; i < widths.length; i++) {
      long width = widths[i];
      s.thinned(2, i);
      Value x = s.input(Sheet.batch(32, 3, width));
      transposed(s, width + " wide, to twice", x, 4, window(2, 2, 2, 1, 0, 0), NONE);
      transposed(s, width + " wide, overlapping", x, 3, window(2, 4, 2, 1, 1, 1), NONE);
      transposed(s, width + " wide, uneven", x, 1, window(2, 5, 2, 1, 1, 2), List.of(1, 1));
      transposed(s, width + " wide, stride 1", x, 2, window(2, 3, 1, 1, 1, 0), NONE);
    }
    s.thinned(1, 0);
    Value x = s.input(Sheet.batch(16, 4, 5));
    transposed(s, "to four times", x, 1, window(2, 4, 4, 1, 0, 0), NONE);
    transposed(s, "with gaps", x, 2, window(2, 3, 4, 1, 0, 0), List.of(2, 1));
    transposed(s, "stride 3", x, 2, window(2, 3, 3, 1, 0, 0), NONE);
    transposed(s, "dilated", x, 2, window(2, 3, 2, 2, 2, 1), NONE);
    Op op = new Op.ConvTranspose(window(2, 2, 2, 1, 0, 0), 1, NONE);
    Expr both = add(mul(arg(0), arg(1)), arg(2));
    s.check(
        "fused",
        s.at("f")
            .op(
                op,
                List.of(x, s.constant(16, 3, 2, 2)),
                both,
                List.of(s.constant(3, 1, 1), s.input(Sheet.batch(3, 8, 10)))));
    return s;
  }

  private static void transposed(
      Sheet s, String label, Value x, long outputs, Window w, List<Integer> more) {
    long channels = x.type().dim(1).asConstant();
    Value weights = WindowCases.weights(s, channels, outputs, w);
    s.check(label, s.at("t").convTranspose(w, 1, more, x, weights));
  }
}
