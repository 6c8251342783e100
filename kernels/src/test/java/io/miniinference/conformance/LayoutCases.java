package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.exp;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.sub;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Op.ScanKind;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Results of convolutions, which a writer may hold in a layout of its own, read by everything.
final class LayoutCases {
  private static final Window THREE = WindowCases.window(2, 3, 1, 1, 1, 1);
  private static final Expr SUM = add(arg(0), arg(1));

  /// Channels of a whole block, of one and a half, and one more than two have.
  private static final long[] FED = {16, 24, 33};

  /// Channels of blocks of which the last is half full.
  private static final long[] AMONG = {8, 24, 40};

  private LayoutCases() {}

  static List<Sheet> sheets() {
    return IntStream.range(0, 3)
        .boxed()
        .flatMap(i -> Stream.of(feeding(FED[i], i), between(AMONG[i], i)))
        .toList();
  }

  /* Steps between convolutions whose channels fill no whole blocks: what is computed in the lanes
  beyond them must reach no result, and what has no such lanes must not be read there. */
  private static Sheet between(long channels, int place) {
    Sheet s =
        new Sheet(channels + " channels between convolutions", 160 + channels)
            .batches(2L, 0L, 3L, 1L)
            .thinned(3, place);
    Value x = s.input(Sheet.batch(3, 5, 6));
    Value y = conv(s, x, channels);
    Value z = conv(s, x, channels);
    Value mean = s.at("s").reduce(ReduceKind.SUM, List.of(2, 3), true, y);
    Window point = WindowCases.window(2, 1, 1, 1, 0, 0);
    Value gate = s.at("g").conv(point, 1, mean, s.constant(channels, channels, 1, 1));
    then(s, "sum", SUM, y, z);
    then(s, "of itself", tanh(arg(0)), y);
    then(s, "per channel", mul(arg(0), exp(arg(1))), y, s.constant(channels, 1, 1));
    then(s, "per channel of rank 4", SUM, y, s.constant(1, channels, 1, 1));
    then(s, "per channel and image", SUM, y, s.input(Sheet.batch(channels, 1, 1)));
    then(s, "gated", mul(arg(0), arg(1)), y, gate);
    then(s, "gated by sums", mul(arg(0), arg(1)), mean, y);
    then(s, "several", add(mul(arg(0), arg(1)), arg(2)), y, s.constant(channels, 1, 1), z);
    then(s, "per image", SUM, y, s.input(Sheet.batch(1, 1, 1)));
    then(s, "per row", SUM, y, s.constant(5, 1));
    then(s, "turned", SUM, y, turned(s, s.input(Sheet.batch(5, 6, channels))));
    then(s, "single pixels", SUM, gate, s.constant(channels, 1, 1));
    then(s, "single pixels turned", SUM, gate, turned(s, s.input(Sheet.batch(1, 1, channels))));
    Value pooled = s.at("p").pool(PoolKind.MAX, WindowCases.window(2, 2, 2, 1, 0, 0), false, y);
    then(s, "pooled", SUM, pooled, s.constant(channels, 1, 1));
    Value large = conv(s, s.input(Sheet.batch(2, 31, 33)), channels);
    then(s, "more than one item", SUM, large, s.constant(channels, 1, 1));
    resized(s, y, channels);
    s.thinned(1, 0);
    mirrored(s, channels); // each part beside the other
    parts(s, x, channels);
    return s;
  }

  /* Each pixel four times, as a Resize reads it, and a function of that. */
  private static void resized(Sheet s, Value y, long channels) {
    Expr half = at(0, index(0), index(1), div(index(2), const_(2)), div(index(3), const_(2)));
    List<Affine> twice = Sheet.batch(channels, 10, 12);
    Value large = s.at("u").elementwise(mul(half, half), twice, List.of(y));
    s.check("resized", large);
    then(s, "function of the resized", tanh(arg(0)), large);
  }

  /* Rows that are read at computed places, into blocks, as a Pad that mirrors them is. */
  private static void mirrored(Sheet s, long channels) {
    Value rows = s.input(Sheet.batch(channels, 5, 6));
    Expr place = at(0, index(0), index(1), index(2), abs(sub(index(3), const_(2))));
    Value wide = s.at("m").elementwise(place, Sheet.batch(channels, 5, 8), List.of(rows));
    s.check(
        "mirrored rows, depthwise",
        s.at("c").conv(THREE, (int) channels, wide, s.constant(channels, 1, 3, 3)));
  }

  private static Value turned(Sheet s, Value x) {
    return s.at("t").transpose(x, List.of(0, 3, 1, 2));
  }

  /* A part written over where it lies must leave the other part of its block alone. */
  private static void parts(Sheet s, Value x, long channels) {
    Value y = conv(s, x, channels);
    Value first = s.at("p").slice(y, 1, Affine.ZERO, Affine.of(5));
    Value rest = s.at("p").slice(y, 1, Affine.of(5), Affine.of(channels - 5));
    then(s, "first part", tanh(arg(0)), first);
    then(s, "other part", tanh(arg(0)), rest);
  }

  private static void then(Sheet s, String label, Expr expr, Value... operands) {
    Value step = s.at(label).elementwise(expr, operands);
    Value next = conv(s, s.at("n").elementwise(neg(arg(0)), step), 17);
    s.check(label, step, label + ", convolution", next);
  }

  private static Value conv(Sheet s, Value x, long outputs) {
    long inputs = x.type().dim(1).asConstant();
    return s.at("c").conv(THREE, 1, x, s.constant(outputs, inputs, 3, 3));
  }

  private static Sheet feeding(long channels, int place) {
    Sheet s =
        new Sheet(channels + " blocked channels", 120 + channels)
            .batches(2L, 0L, 3L, 1L)
            .thinned(2, place);
    Value x = s.input(Sheet.batch(3, 4, 5));
    Value y = conv(s, x, channels);
    Value z = conv(s, x, channels);
    s.check("itself", y);
    s.check("twice", s.at("a").elementwise(SUM, y, z));
    elementwise(s, y, channels);
    views(s, y, channels);
    tokens(s, conv(s, x, 2 * channels), 2 * channels);
    lines(s, conv(s, s.input(Sheet.batch(2, 18, 19)), channels), channels);
    joined(s, y, z, channels);
    rows(s, y);
    s.check("convolution", conv(s, y, 17));
    s.check(
        "pointwise",
        s.at("c").conv(WindowCases.window(2, 1, 1, 1, 0, 0), 1, y, s.constant(9, channels, 1, 1)));
    s.check("depthwise", s.at("c").conv(THREE, (int) channels, y, s.constant(channels, 1, 3, 3)));
    Value pooled = s.at("p").pool(PoolKind.MAX, WindowCases.window(2, 2, 2, 1, 0, 0), false, y);
    s.check("pool, convolution", conv(s, pooled, 8));
    s.check(
        "pool, flat product",
        s.at("m")
            .matMul(
                s.at("r").reshape(pooled, Sheet.batch(channels * 4)),
                s.constant(channels * 4, 10)));
    Value line =
        s.at("c")
            .conv(
                WindowCases.window(1, 3, 1, 1, 1, 1),
                1,
                s.input(Sheet.batch(2, 9)),
                s.constant(channels, 2, 3));
    s.check("one axis", line);
    s.check("one axis, turned", s.at("t").transpose(line, List.of(0, 2, 1)));
    s.check("one axis, doubled", s.at("a").elementwise(add(arg(0), arg(0)), line));
    return s;
  }

  /* More pixels than a work item takes of all the channels of a block. */
  private static void lines(Sheet s, Value y, long channels) {
    Value lines = s.at("r").reshape(y, Sheet.batch(channels, 18 * 19));
    Value others = s.input(Sheet.batch(channels, 18 * 19));
    s.check("lines", s.at("e").elementwise(SUM, lines, others));
    s.check("lines, roots", s.at("e").elementwise(tanh(arg(0)), lines));
  }

  /* Pixels as rows of channels, as layers of attention read an image. */
  private static void tokens(Sheet s, Value y, long channels) {
    Value pixels = s.at("r").reshape(y, Sheet.batch(channels, 20));
    Value tokens = s.at("t").transpose(pixels, List.of(0, 2, 1));
    s.check("tokens", s.at("e").elementwise(tanh(arg(0)), tokens));
    s.check(
        "tokens, others", s.at("e").elementwise(SUM, tokens, s.input(Sheet.batch(20, channels))));
    s.check("tokens, bias", s.at("e").elementwise(SUM, tokens, s.constant(channels)));
    s.check("tokens, places", s.at("e").elementwise(SUM, tokens, s.constant(20, 1)));
  }

  private static void elementwise(Sheet s, Value y, long channels) {
    s.check("per channel", s.at("a").elementwise(SUM, y, s.constant(channels, 1, 1)));
    s.check("per row", s.at("a").elementwise(SUM, y, s.input(Sheet.batch(1, 4, 1))));
    s.check("with an input", s.at("a").elementwise(SUM, s.input(Sheet.batch(channels, 4, 5)), y));
    s.check("one more axis", s.at("a").elementwise(SUM, y, s.constant(2, 1, 1, 1, 1)));
    Expr position = mul(arg(0), cast(ElementType.F32, add(mul(index(1), const_(100)), index(3))));
    s.check("with its index", s.at("a").elementwise(position, y));
    Expr mirrored = at(0, index(0), sub(const_(channels - 1), index(1)), index(2), index(3));
    s.check("mirrored", s.at("a").elementwise(add(mirrored, arg(0)), y.type().shape(), List.of(y)));
    s.check(
        "in another type",
        s.at("a").elementwise(cast(ElementType.I32, mul(arg(0), const_(ElementType.F32, 9.0))), y));
  }

  private static void views(Sheet s, Value y, long channels) {
    s.check("flat", s.at("r").reshape(y, Sheet.batch(channels * 20)));
    Value turned = s.at("t").transpose(y, List.of(0, 2, 3, 1));
    s.check("turned", turned);
    s.check("turned, convolution", conv(s, turned, 16));
    s.check(
        "turned otherwise, convolution", conv(s, s.at("t").transpose(y, List.of(0, 3, 2, 1)), 16));
    s.check(
        "turned, pool",
        s.at("p").pool(PoolKind.MAX, WindowCases.window(2, 2, 1, 1, 0, 0), false, turned));
    Value still = conv(s, s.input(Sheet.dims(2, 3, 4, 5)), channels);
    Value outward = s.at("t").transpose(still, List.of(1, 0, 2, 3));
    s.check("channels first", outward);
    s.check("channels first, convolution", conv(s, outward, 8));
    s.check(
        "channels first, pool",
        s.at("p").pool(PoolKind.AVERAGE, WindowCases.window(2, 2, 1, 1, 0, 0), false, outward));
    s.check("half the channels", s.at("p").slice(y, 1, Affine.ZERO, Affine.of(channels / 2)));
    Value first = s.at("p").slice(y, 1, Affine.ZERO, Affine.of(7));
    s.check("seven channels, convolution", conv(s, first, 16));
    s.check("seven channels, doubled", s.at("a").elementwise(add(arg(0), arg(0)), first));
    s.check("last channels", s.at("p").slice(y, 1, Affine.of(channels - 5), Affine.of(5)));
    Value inner = s.at("p").slice(y, 2, Affine.ONE, Affine.of(2));
    s.check("two rows", inner);
    s.check("two rows, convolution", conv(s, inner, 8));
    s.check("two rows, flat", s.at("r").reshape(inner, Sheet.batch(channels * 10)));
    Value rows = s.at("r").reshape(y, Sheet.batch(channels, 20));
    s.check("planes as lines", rows);
    s.check("planes as lines, product", s.at("m").matMul(rows, s.constant(20, 6)));
    s.check(
        "planes as lines, turned product",
        s.at("m").matMul(s.at("t").transpose(rows, List.of(0, 2, 1)), s.constant(channels, 6)));
    s.check(
        "mirrored",
        s.at("b")
            .slice(
                y,
                List.of(Affine.ZERO, Affine.of(channels - 1), Affine.ZERO, Affine.of(4)),
                List.of(1L, -1L, 1L, -1L),
                Sheet.batch(channels, 4, 5)));
  }

  private static void joined(Sheet s, Value y, Value z, long channels) {
    Value both = s.at("c").concat(1, List.of(y, z));
    s.check("joined", both);
    s.check("joined, convolution", conv(s, both, 16));
    Value mixed = s.at("c").concat(1, List.of(y, s.input(Sheet.batch(5, 4, 5))));
    s.check("joined with an input", mixed);
    s.check("joined with an input, convolution", conv(s, mixed, 16));
    s.check("joined below", s.at("c").concat(2, List.of(y, z, y)));
    s.check("joined behind", s.at("c").concat(0, List.of(y, z)));
    s.check(
        "joined, its second part",
        s.at("p").slice(both, 1, Affine.of(channels), Affine.of(channels)));
    Op join = new Op.Concat(1);
    Expr scaled = mul(arg(0), arg(1));
    s.check(
        "joined with an epilogue",
        s.at("c").op(join, List.of(y, z), scaled, List.of(s.constant(2 * channels, 1, 1))));
  }

  private static void rows(Sheet s, Value y) {
    for (ReduceKind kind : List.of(ReduceKind.SUM, ReduceKind.MAX, ReduceKind.MIN)) {
      s.check(kind + " over the plane", s.at("s").reduce(kind, List.of(2, 3), true, y));
    }
    Affine pixels = y.type().dim(2).times(y.type().dim(3));
    Value flat =
        s.at("r").reshape(y, Sheet.batch(y.type().dim(1).asConstant(), pixels.asConstant()));
    s.check("product with itself", s.at("m").matMul(flat, flat, false, true));
    s.check("sum over channels", s.at("s").reduce(ReduceKind.SUM, List.of(1), false, y));
    s.check("place of the largest", s.at("s").reduce(ReduceKind.ARG_MAX, List.of(1), false, y));
    s.check("softmax", s.at("s").softmax(1, false, y));
    s.check("normalize", s.at("s").normalize(List.of(1), 1e-3, true, y));
    s.check("normalize planes", s.at("s").normalize(List.of(2, 3), 1e-3, true, y));
    s.check("scan", s.at("s").scan(ScanKind.SUM, 1, false, false, y));
    Value picks = s.input(Data.UNIT, ElementType.I64, Sheet.dims(3));
    s.check("gather", s.at("g").gather(1, y, picks));
  }
}
