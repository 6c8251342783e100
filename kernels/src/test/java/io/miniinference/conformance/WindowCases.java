package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/// Convolutions.
final class WindowCases {
  static final Expr RELU = max(add(arg(0), arg(1)), const_(ElementType.F32, 0.0));

  private WindowCases() {}

  static Window window(int rank, int kernel, int stride, int dilation, int begin, int end) {
    return new Window(
        Collections.nCopies(rank, kernel),
        Collections.nCopies(rank, stride),
        Collections.nCopies(rank, dilation),
        Collections.nCopies(rank, begin),
        Collections.nCopies(rank, end));
  }

  static List<Sheet> convolutions() {
    return List.of(
        channels(),
        widths(),
        windows(),
        depthwise(),
        grouped(),
        deep(),
        views(),
        epilogues(),
        typed(),
        threeAxes(),
        FewChannelsCases.convolutions(),
        FewChannelsCases.transposed(),
        FormCases.winograd(),
        FormCases.strips(),
        FormCases.patches(),
        FormCases.pointwise());
  }

  static void conv(Sheet s, String label, Value x, long outputs, Window w, int groups) {
    long channels = x.type().dim(1).asConstant() / groups;
    s.check(label, s.at("c").conv(w, groups, x, weights(s, outputs, channels, w)));
  }

  /// Weights of a window.
  static Value weights(Sheet s, long first, long second, Window w) {
    return s.constant(
        LongStream.concat(
                LongStream.of(first, second), w.kernel().stream().mapToLong(Integer::longValue))
            .toArray());
  }

  private static Sheet channels() {
    Sheet s = new Sheet("channels of convolutions", 100).batches(2L, 0L, 3L, 1L);
    long[] counts = {1, 3, 8, 12, 17, 24, 33};
    for (int i = 0; i < counts.length; i++) {
      Value x = s.input(Sheet.batch(counts[i], 5, 6));
      conv(s, counts[i] + " to itself", x, counts[i], window(2, 3, 1, 1, 1, 1), 1);
      long other = counts[(i + 3) % counts.length];
      conv(s, counts[i] + " to " + other, x, other, window(2, 1, 1, 1, 0, 0), 1);
    }
    return s;
  }

  private static Sheet widths() {
    Sheet s = new Sheet("widths of convolutions", 101).batches(2L, 1L);
    for (long width : new long[] {1, 7, 13, 14, 15, 28, 31}) {
      Value x = s.input(Sheet.batch(3, 3, width));
      conv(s, width + " wide, one vector", x, 16, window(2, 3, 1, 1, 1, 1), 1);
      conv(s, width + " wide, pointwise", x, 32, window(2, 1, 1, 1, 0, 0), 1);
    }
    return s;
  }

  private static Sheet windows() {
    Sheet s = new Sheet("windows of convolutions", 102).batches(2L, 1L);
    Value x = s.input(Sheet.batch(6, 11, 13));
    conv(s, "stride 2", x, 16, window(2, 3, 2, 1, 1, 1), 1);
    conv(s, "stride 3, uneven pads", x, 20, window(2, 4, 3, 1, 0, 2), 1);
    conv(s, "dilated", x, 8, window(2, 3, 1, 2, 2, 1), 1);
    conv(s, "strided pointwise", x, 16, window(2, 1, 2, 1, 0, 0), 1);
    conv(s, "padded pointwise", x, 16, window(2, 1, 1, 1, 1, 0), 1);
    conv(
        s,
        "pads wider than the plane",
        s.input(Sheet.batch(2, 2, 3)),
        7,
        window(2, 5, 1, 1, 4, 4),
        1);
    conv(s, "whole plane", s.input(Sheet.batch(3, 4, 4)), 40, window(2, 4, 1, 1, 0, 0), 1);
    Window flat =
        new Window(List.of(1, 5), List.of(1, 2), List.of(1, 1), List.of(0, 2), List.of(0, 2));
    conv(s, "rows only", x, 9, flat, 1);
    conv(s, "two groups", x, 8, window(2, 3, 1, 1, 1, 1), 2);
    conv(s, "depthwise", x, 6, window(2, 3, 1, 1, 1, 1), 6);
    conv(s, "depthwise times 2", x, 12, window(2, 3, 2, 1, 1, 0), 6);
    Value line = s.input(Sheet.batch(5, 20));
    conv(s, "one axis", line, 18, window(1, 3, 1, 1, 1, 1), 1);
    conv(s, "one axis, strided", line, 6, window(1, 4, 3, 2, 0, 3), 1);
    conv(s, "one axis, pointwise", line, 6, window(1, 1, 1, 1, 0, 0), 1);
    Value sound = s.input(Sheet.batch(2, 150));
    conv(s, "one axis, long", sound, 18, window(1, 40, 5, 1, 0, 0), 1);
    conv(s, "one axis, long and padded", sound, 9, window(1, 35, 2, 2, 20, 7), 1);
    conv(s, "three axes", s.input(Sheet.batch(2, 4, 5, 3)), 7, window(3, 2, 1, 1, 1, 0), 1);
    conv(s, "few outputs", x, 3, window(2, 3, 1, 1, 1, 1), 1);
    Value still = s.input(Sheet.dims(2, 3, 5, 5));
    conv(s, "without batch", still, 16, window(2, 3, 1, 1, 0, 0), 1);
    Value w = s.input(Sheet.dims(16, 3, 3, 3));
    s.check("weights are an input", s.at("c").conv(window(2, 3, 1, 1, 0, 0), 1, still, w));
    return s;
  }

  /* Images of three axes: planes in front and behind are padding, taps are all of a plane, none, or
  along the depth alone; from plain inputs and from those that a convolution left in blocks. */
  private static Sheet threeAxes() {
    Sheet s = new Sheet("convolutions of three axes", 112).batches(1L, 0L, 3L);
    Window same = window(3, 3, 1, 1, 1, 1);
    Window deep =
        new Window(
            List.of(3, 1, 1),
            List.of(2, 1, 1),
            List.of(1, 1, 1),
            List.of(1, 0, 0),
            List.of(1, 0, 0));
    Window flat =
        new Window(
            List.of(1, 3, 3),
            List.of(1, 2, 2),
            List.of(1, 1, 1),
            List.of(0, 1, 1),
            List.of(0, 1, 1));
    Window stem =
        new Window(
            List.of(3, 5, 4),
            List.of(1, 2, 3),
            List.of(2, 1, 2),
            List.of(2, 2, 1),
            List.of(1, 2, 3));
    Value x = s.input(Sheet.batch(5, 5, 6, 9));
    List<Window> windows =
        List.of(
            same,
            deep,
            flat,
            stem,
            window(3, 1, 1, 1, 0, 0),
            window(3, 1, 2, 1, 0, 0),
            window(3, 2, 1, 3, 3, 2));
    long[] widths = {8, 17, 32};
    for (int c = 0; c < widths.length; c++) {
      long channels = widths[c];
      Value blocked = s.at("b").conv(same, 1, x, s.constant(channels, 5, 3, 3, 3));
      for (int i = 0; i < windows.size(); i++) {
        if (Sheet.isTried(3, c, i)) {
          conv(s, "5 to " + channels + ", window " + i, x, channels, windows.get(i), 1);
        }
        if (Sheet.isTried(3, c, i, 1)) {
          conv(s, channels + " blocked, window " + i, blocked, 24, windows.get(i), 1);
        }
      }
      Value weights = s.constant(channels, 5, 3, 3, 3);
      s.thinned(2, c);
      fused(s, channels + ": bias", same, x, weights, RELU, s.constant(channels, 1, 1, 1));
      fused(s, channels + ": residual", same, x, weights, RELU, blocked);
      fused(
          s, channels + ": input", same, x, weights, RELU, s.input(Sheet.batch(channels, 5, 6, 9)));
      followed(s, channels, blocked);
      s.thinned(1, 0);
    }
    conv(s, "groups", s.input(Sheet.batch(32, 3, 4, 5)), 32, same, 4);
    conv(s, "of turned", s.at("t").transpose(x, List.of(0, 1, 4, 2, 3)), 16, same, 1);
    conv(
        s,
        "pads deeper than the image",
        s.input(Sheet.batch(2, 1, 2, 3)),
        7,
        window(3, 5, 1, 1, 4, 4),
        1);
    return s;
  }

  /* What reads images of three axes in blocks. */
  private static void followed(Sheet s, long channels, Value blocked) {
    String label = channels + " in blocks, ";
    s.check(label + "sums", s.at("s").reduce(ReduceKind.SUM, List.of(2, 3, 4), true, blocked));
    s.check(label + "doubled", s.at("a").elementwise(add(arg(0), arg(0)), blocked));
    Value scaled =
        s.at("a").elementwise(mul(arg(0), arg(1)), blocked, s.constant(channels, 1, 1, 1));
    conv(s, label + "scaled, convolution", scaled, 9, window(3, 1, 1, 1, 0, 0), 1);
    s.check(label + "flat", s.at("r").reshape(blocked, Sheet.batch(channels * 270)));
    s.check(label + "joined", s.at("c").concat(1, List.of(blocked, scaled)));
    Value part = s.at("p").slice(blocked, 3, Affine.ONE, Affine.of(4));
    s.check(label + "rows' sums", s.at("s").reduce(ReduceKind.SUM, List.of(2, 3, 4), true, part));
    conv(s, label + "rows", part, 16, window(3, 1, 1, 1, 0, 0), 1);
    Window uneven =
        new Window(
            List.of(2, 3, 2),
            List.of(2, 2, 1),
            List.of(1, 1, 2),
            List.of(1, 1, 0),
            List.of(0, 2, 1));
    Op.WindowReduce pool = new Op.WindowReduce(PoolKind.MAX, uneven, false);
    for (PoolKind kind : PoolKind.values()) {
      s.check(label + kind, s.at("p").pool(kind, window(3, 3, 2, 1, 1, 1), true, blocked));
      s.check(label + kind + ", uneven", s.at("p").pool(kind, uneven, false, blocked));
    }
    s.check(
        label + "fused",
        s.at("f").op(pool, List.of(blocked), RELU, List.of(s.constant(channels, 1, 1, 1))));
    Value other = s.at("p").pool(PoolKind.AVERAGE, uneven, false, blocked);
    s.check(
        label + "fused with another", s.at("f").op(pool, List.of(blocked), RELU, List.of(other)));
  }

  /* One filter per channel, from a plain input and from one that a convolution left in blocks. */
  private static Sheet depthwise() {
    Sheet s = new Sheet("depthwise convolutions", 106).batches(2L, 0L, 3L, 1L);
    List<Window> windows =
        List.of(
            window(2, 3, 1, 1, 1, 1),
            window(2, 3, 2, 1, 0, 1),
            window(2, 5, 1, 2, 4, 4),
            window(2, 4, 3, 2, 2, 3),
            window(2, 2, 2, 1, 0, 0));
    int[] widths = {6, 16, 17, 40};
    for (int c = 0; c < widths.length; c++) {
      int channels = widths[c];
      Value x = s.input(Sheet.batch(channels, 9, 19));
      Value blocked =
          s.at("b").conv(window(2, 1, 1, 1, 0, 0), 1, x, s.constant(channels, channels, 1, 1));
      for (int i = 0; i < windows.size(); i++) {
        if (Sheet.isTried(3, c, i)) {
          conv(s, channels + " channels, window " + i, x, channels, windows.get(i), channels);
        }
        if (Sheet.isTried(3, c, i, 1)) {
          conv(s, channels + " blocked, window " + i, blocked, channels, windows.get(i), channels);
        }
      }
    }
    Value line = s.input(Sheet.batch(24, 61));
    Value strand = s.at("b").conv(window(1, 1, 1, 1, 0, 0), 1, line, s.constant(24, 24, 1));
    conv(s, "one axis", line, 24, window(1, 4, 1, 1, 3, 0), 24);
    conv(s, "one axis, blocked", strand, 24, window(1, 31, 1, 1, 15, 15), 24);
    conv(s, "one axis, strided", strand, 24, window(1, 5, 3, 2, 2, 1), 24);
    conv(s, "one axis, many taps", line, 24, window(1, 65, 1, 1, 32, 32), 24);
    Value x = s.input(Sheet.batch(24, 5, 8));
    Value filters = s.constant(24, 1, 3, 3);
    Value same = s.input(Sheet.batch(24, 5, 8));
    fused(s, "depthwise: bias", window(2, 3, 1, 1, 1, 1), x, filters, RELU, s.constant(24, 1, 1));
    fused(s, "depthwise: residual", window(2, 3, 1, 1, 1, 1), x, filters, RELU, same);
    return s;
  }

  /* Groups whose channels are whole vectors, alone or several together, from plain and from blocked
  inputs; and such whose vectors begin within a group. */
  private static Sheet grouped() {
    Sheet s = new Sheet("convolutions with groups", 109).batches(2L, 0L, 3L, 1L);
    Window same = window(2, 3, 1, 1, 1, 1);
    long[][] counts = {
      {2, 32, 32},
      {3, 48, 48},
      {2, 64, 64},
      {2, 128, 192},
      {8, 32, 32},
      {4, 32, 16},
      {2, 48, 48},
      {4, 96, 96},
      {32, 64, 32},
      {2, 32, 64},
      {4, 20, 12},
      {3, 24, 24},
      {4, 72, 68},
      {2, 10, 4},
      {5, 100, 35}
    };
    for (int i = 0; i < counts.length; i++) {
      long[] each = counts[i];
      int groups = (int) each[0];
      Value x = s.input(Sheet.batch(each[1], 5, 9));
      Value blocked =
          s.at("b").conv(window(2, 1, 1, 1, 0, 0), 1, x, s.constant(each[1], each[1], 1, 1));
      String label = "%d groups, %d to %d".formatted(groups, each[1], each[2]);
      conv(s, label + ", blocked", blocked, each[2], same, groups);
      if (Sheet.isTried(3, i)) {
        conv(s, label, x, each[2], same, groups);
      }
      if (Sheet.isTried(3, i, 2)) {
        conv(s, label + ", pointwise", blocked, each[2], window(2, 1, 1, 1, 0, 0), groups);
      }
      if (Sheet.isTried(3, i, 1)) {
        conv(s, label + ", strided", blocked, each[2], window(2, 4, 3, 2, 2, 3), groups);
      }
    }
    Value x = s.input(Sheet.batch(32, 5, 8));
    fused(s, "bias", same, x, s.constant(32, 8, 3, 3), RELU, s.constant(32, 1, 1));
    fused(s, "residual", same, x, s.constant(32, 8, 3, 3), RELU, s.input(Sheet.batch(32, 5, 8)));
    Value wide = s.input(Sheet.batch(64, 5, 8));
    fused(s, "wide: bias", same, wide, s.constant(64, 32, 3, 3), RELU, s.constant(64, 1, 1));
    fused(
        s,
        "wide: residual",
        same,
        wide,
        s.constant(64, 32, 3, 3),
        RELU,
        s.input(Sheet.batch(64, 5, 8)));
    conv(s, "one axis", s.input(Sheet.batch(32, 20)), 32, window(1, 3, 1, 1, 1, 1), 4);
    return s;
  }

  /* Three spatial axes, from a plain input and from one that a convolution left in an order of its
  own, with windows that lie along some of the axes only. */
  private static Sheet deep() {
    Sheet s = new Sheet("convolutions with three axes", 111).batches(2L, 0L, 3L, 1L);
    Value x = s.input(Sheet.batch(3, 5, 6, 7));
    Value made = s.at("m").conv(window(3, 1, 1, 1, 0, 0), 1, x, s.constant(20, 3, 1, 1, 1));
    List<Window> windows =
        List.of(
            window(3, 3, 1, 1, 1, 1),
            window(3, 3, 2, 1, 0, 1),
            window(3, 2, 1, 2, 1, 0),
            window(3, 1, 1, 1, 0, 0),
            window(3, 1, 2, 1, 0, 0),
            flat(1, 3, 2),
            flat(3, 1, 1));
    for (int i = 0; i < windows.size(); i++) {
      if (Sheet.isTried(2, i)) {
        conv(s, "plain, window " + i, x, 18, windows.get(i), 1);
      }
      if (Sheet.isTried(2, i, 1)) {
        conv(s, "made, window " + i, made, 32, windows.get(i), 1);
      }
    }
    fused(
        s,
        "three axes: residual",
        windows.getFirst(),
        made,
        s.constant(20, 20, 3, 3, 3),
        RELU,
        s.input(Sheet.batch(20, 5, 6, 7)));
    conv(s, "three axes, two groups", made, 8, windows.getFirst(), 2);
    return s;
  }

  /* Of one extent in depth and another across, padded to keep the sizes. */
  private static Window flat(int depth, int across, int stride) {
    List<Integer> pads = List.of(depth / 2, across / 2, across / 2);
    return new Window(
        List.of(depth, across, across), List.of(1, stride, stride), List.of(1, 1, 1), pads, pads);
  }

  private static Sheet views() {
    Sheet s = new Sheet("convolutions of views", 103).batches(2L, 5L, 1L);
    Value x = s.input(Sheet.batch(4, 6, 8));
    Window w = window(2, 3, 1, 1, 1, 1);
    Window point = window(2, 1, 1, 1, 0, 0);
    List<Value> views = new ArrayList<>();
    views.add(s.at("t").transpose(x, List.of(0, 3, 1, 2)));
    views.add(s.at("t").transpose(x, List.of(0, 1, 3, 2)));
    List<Affine> starts = List.of(Affine.ZERO, Affine.of(3), Affine.of(5), Affine.of(7));
    views.add(s.at("b").slice(x, starts, List.of(1L, -1L, -1L, -2L), Sheet.batch(4, 5, 4)));
    Value one = s.at("o").slice(x, 3, Affine.of(2), Affine.ONE);
    views.add(s.at("e").expand(one, Sheet.batch(4, 6, 7)));
    Value channel = s.at("o").slice(x, 1, Affine.of(2), Affine.ONE);
    views.add(s.at("e").expand(channel, Sheet.batch(5, 6, 8)));
    Value plane = s.at("r").reshape(s.input(Sheet.batch(3)), Sheet.batch(3, 1, 1));
    views.add(s.at("e").expand(plane, Sheet.batch(3, 4, 4)));
    views.add(
        s.at("p")
            .slice(
                s.input(List.of(Affine.batch(2), Affine.of(3), Affine.of(5), Affine.of(5))),
                0,
                Affine.N,
                Affine.N));
    Value blocks = s.at("c").conv(w, 1, x, s.constant(32, 4, 3, 3));
    views.add(s.at("t").transpose(blocks, List.of(0, 2, 1, 3)));
    for (int i = 0; i < views.size(); i++) {
      conv(s, "view " + i, views.get(i), 16, w, 1);
      conv(s, "pointwise view " + i, views.get(i), 17, point, 1);
    }
    return s;
  }

  private static Sheet epilogues() {
    Sheet s = new Sheet("epilogues of convolutions", 104).batches(2L, 1L, 0L);
    Window w = window(2, 3, 1, 1, 1, 1);
    long[] widths = {8, 17, 32};
    for (int c = 0; c < widths.length; c++) {
      long outputs = widths[c];
      s.thinned(2, c);
      Value x = s.input(Sheet.batch(3, 6, 7));
      Value weights = s.constant(outputs, 3, 3, 3);
      Value same = s.input(Sheet.batch(outputs, 6, 7));
      fused(s, outputs + ": bias", w, x, weights, RELU, s.constant(outputs, 1, 1));
      fused(s, outputs + ": bias of rank 4", w, x, weights, RELU, s.constant(1, outputs, 1, 1));
      fused(s, outputs + ": residual", w, x, weights, RELU, same);
      fused(
          s,
          outputs + ": both",
          w,
          x,
          weights,
          add(mul(arg(0), arg(2)), arg(1)),
          s.constant(outputs, 1, 1),
          same);
      fused(s, outputs + ": per row", w, x, weights, RELU, s.constant(7));
      fused(s, outputs + ": scalar", w, x, weights, RELU, s.constant());
      fused(
          s,
          outputs + ": scale as input",
          w,
          x,
          weights,
          RELU,
          s.input(Sheet.batch(outputs, 1, 1)));
      Expr leaky =
          select(
              lt(arg(0), const_(ElementType.F32, 0.0)),
              mul(arg(0), const_(ElementType.F32, 0.1)),
              arg(0));
      fused(s, outputs + ": leaky", w, x, weights, leaky);
      Value turned = s.at("t").transpose(s.input(Sheet.batch(7, 6, outputs)), List.of(0, 3, 2, 1));
      fused(s, outputs + ": residual turned", w, x, weights, RELU, turned);
      Value other = s.at("c").conv(w, 1, x, s.constant(outputs, 3, 3, 3));
      fused(s, outputs + ": residual blocked", w, x, weights, RELU, other);
    }
    return s;
  }

  static void fused(
      Sheet s, String label, Window w, Value x, Value weights, Expr epilogue, Value... extra) {
    long groups = x.type().dim(1).asConstant() / weights.type().dim(1).asConstant();
    Op op = new Op.Conv(w, (int) groups);
    s.check(label, s.at(label).op(op, List.of(x, weights), epilogue, List.of(extra)));
  }

  private static Sheet typed() {
    Sheet s = new Sheet("types of windows", 105).batches(2L, 1L);
    for (ElementType type :
        List.of(
            ElementType.F64, ElementType.F16, ElementType.BF16, ElementType.I32, ElementType.I8)) {
      Value x = s.input(Data.NORMAL, type, Sheet.batch(8, 5, 6));
      Value w = s.constant(Data.NORMAL, type, 8, 8, 3, 3);
      s.check("conv " + type, s.at("c").conv(window(2, 3, 1, 1, 1, 1), 1, x, w));
      s.check(
          "transposed " + type,
          s.at("t").convTranspose(window(2, 3, 2, 1, 1, 1), 1, List.of(1, 0), x, w));
      for (PoolKind kind : PoolKind.values()) {
        s.check(kind + " " + type, s.at("p").pool(kind, window(2, 3, 2, 1, 1, 1), true, x));
      }
    }
    return s;
  }
}
