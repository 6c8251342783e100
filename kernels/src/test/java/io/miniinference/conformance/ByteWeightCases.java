package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.List;
import java.util.stream.IntStream;

/// Products whose weights are integers that bytes hold, as those of quantised networks, and some
/// that bytes do not hold.
final class ByteWeightCases {
  private ByteWeightCases() {}

  /// Of signed bytes, of unsigned ones, of such that are neither alone, and of wider ones.
  private static final int[] LEAST = {-128, 0, -90, -255};

  static List<Sheet> sheets() {
    return IntStream.range(0, LEAST.length).mapToObj(ByteWeightCases::from).toList();
  }

  /* Of 256 integers, or 511. */
  private static Sheet from(int place) {
    int least = LEAST[place];
    Sheet s = new Sheet("weights from " + least, 120 + least).batches(2L, 1L).thinned(2, place);
    int greatest = least == -255 ? 255 : least + 255;
    Value image = s.input(Sheet.batch(6, 11, 13));
    convolution(s, "direct", image, integers(s, least, greatest, 20, 6, 3, 3), 1, 1);
    convolution(s, "of pairs", image, integers(s, least, greatest, 32, 6, 3, 3), 2, 1);
    convolution(s, "grouped", image, integers(s, least, greatest, 12, 3, 3, 3), 1, 2);
    Value deep = s.input(Sheet.batch(256, 7, 12));
    Value weights = integers(s, least, greatest, 64, 256, 1, 1);
    s.check("pointwise", s.at("c").conv(WindowCases.window(2, 1, 1, 1, 0, 0), 1, deep, weights));
    Value line = s.input(Sheet.batch(5, 20));
    s.check(
        "one axis",
        s.at("c")
            .conv(
                WindowCases.window(1, 3, 1, 1, 1, 1),
                1,
                line,
                integers(s, least, greatest, 18, 5, 3)));
    Value rows = s.input(Sheet.batch(3, 12));
    s.check("rows", s.at("m").matMul(rows, integers(s, least, greatest, 12, 33)));
    s.check("turned", s.at("m").matMul(rows, integers(s, least, greatest, 40, 12), false, true));
    Value scale = s.constant(33);
    Value bias = s.constant(33);
    s.check(
        "scaled",
        s.at("e")
            .op(
                new Op.MatMul(false, false),
                List.of(rows, integers(s, least, greatest, 12, 33)),
                add(mul(arg(0), arg(1)), arg(2)),
                List.of(scale, bias)));
    return s;
  }

  private static void convolution(
      Sheet s, String label, Value x, Value weights, int stride, int groups) {
    s.check(label, s.at("c").conv(WindowCases.window(2, 3, stride, 1, 1, 1), groups, x, weights));
  }

  /* The least and the greatest among them. */
  private static Value integers(Sheet s, int least, int greatest, long... shape) {
    float[] values = new float[Math.toIntExact(Tensor.elements(shape))];
    for (int i = 0; i < values.length; i++) {
      values[i] = s.random().nextInt(least, greatest + 1);
    }
    values[0] = least;
    values[1] = greatest;
    return s.constant(Tensor.of(values, shape).copy());
  }
}
