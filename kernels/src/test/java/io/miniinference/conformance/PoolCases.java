package io.miniinference.conformance;

import static io.miniinference.conformance.WindowCases.RELU;
import static io.miniinference.conformance.WindowCases.window;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import java.util.List;

/// Transposed convolutions and pools.
final class PoolCases {
  private PoolCases() {}

  static List<Sheet> sheets() {
    return List.of(transposed(), pools());
  }

  private static void transposed(
      Sheet s, String label, Value x, long outputs, Window w, int groups, List<Integer> more) {
    Value weights = WindowCases.weights(s, x.type().dim(1).asConstant(), outputs / groups, w);
    s.check(label, s.at("t").convTranspose(w, groups, more, x, weights));
  }

  private static Sheet transposed() {
    Sheet s = new Sheet("transposed convolutions", 110).batches(2L, 0L, 1L);
    Value x = s.input(Sheet.batch(6, 4, 5));
    List<Integer> none = List.of(0, 0);
    transposed(s, "plain", x, 8, window(2, 3, 1, 1, 0, 0), 1, none);
    transposed(s, "stride 2", x, 17, window(2, 2, 2, 1, 0, 0), 1, none);
    transposed(s, "stride 2, pads", x, 16, window(2, 3, 2, 1, 1, 1), 1, List.of(1, 1));
    transposed(s, "stride 3, uneven pads", x, 33, window(2, 4, 3, 1, 1, 0), 1, List.of(2, 0));
    transposed(s, "dilated", x, 8, window(2, 3, 2, 2, 2, 1), 1, none);
    transposed(s, "few outputs", x, 3, window(2, 3, 2, 1, 1, 1), 1, List.of(0, 1));
    transposed(s, "groups", x, 4, window(2, 3, 2, 1, 1, 1), 2, none);
    transposed(
        s, "one axis", s.input(Sheet.batch(3, 9)), 8, window(1, 3, 2, 1, 1, 0), 1, List.of(1));
    transposed(
        s,
        "three axes",
        s.input(Sheet.batch(2, 3, 2, 3)),
        6,
        window(3, 2, 2, 1, 0, 0),
        1,
        List.of(0, 1, 0));
    Value cube = s.input(Sheet.batch(5, 2, 3, 19));
    transposed(s, "three wide axes", cube, 20, window(3, 3, 2, 1, 1, 1), 1, List.of(1, 0, 1));
    transposed(s, "three axes, groups", cube, 20, window(3, 4, 2, 1, 1, 1), 5, List.of(0, 0, 0));
    Value turned = s.at("t").transpose(x, List.of(0, 1, 3, 2));
    transposed(s, "turned", turned, 16, window(2, 2, 2, 1, 0, 0), 1, none);
    Value blocked = s.at("c").conv(window(2, 3, 1, 1, 1, 1), 1, x, s.constant(18, 6, 3, 3));
    transposed(s, "of blocked", blocked, 16, window(2, 2, 2, 1, 0, 0), 1, none);
    transposed(s, "a filter a channel", blocked, 18, window(2, 4, 2, 1, 1, 1), 18, none);
    transposed(s, "groups of blocked", blocked, 33, window(2, 2, 2, 1, 0, 0), 3, none);
    Value wide = s.input(Sheet.batch(5, 3, 37));
    Value row = s.at("c").conv(window(2, 3, 1, 1, 1, 1), 1, wide, s.constant(20, 5, 3, 3));
    transposed(s, "wide", wide, 32, window(2, 3, 2, 1, 1, 1), 1, List.of(1, 1));
    transposed(s, "wide, stride 1", wide, 33, window(2, 3, 1, 1, 2, 1), 1, none);
    transposed(s, "wide, of blocked", row, 16, window(2, 4, 2, 1, 1, 1), 1, none);
    transposed(s, "wide, dilated", row, 18, window(2, 3, 2, 3, 1, 2), 1, none);
    transposed(s, "wide, gaps", wide, 8, window(2, 2, 3, 1, 0, 0), 1, List.of(0, 2));
    Value large = s.input(Sheet.batch(16, 17, 19));
    transposed(s, "large", large, 101, window(2, 4, 2, 1, 1, 1), 1, none); // convolved on GPUs
    Value strand = s.input(Sheet.batch(7, 41));
    transposed(s, "one wide axis", strand, 40, window(1, 16, 8, 1, 4, 4), 1, List.of(0));
    transposed(s, "one wide axis, groups", strand, 14, window(1, 4, 2, 1, 1, 1), 7, List.of(0));
    transposed(s, "groups to vectors", x, 48, window(2, 3, 2, 1, 1, 1), 3, none);
    Op op = new Op.ConvTranspose(window(2, 2, 2, 1, 0, 0), 1, none);
    Value w = s.constant(6, 20, 2, 2);
    Value skip = s.input(Sheet.batch(20, 8, 10));
    Expr both = max(add(add(arg(0), arg(1)), arg(2)), const_(ElementType.F32, 0.0));
    s.check("fused", s.at("f").op(op, List.of(x, w), both, List.of(s.constant(20, 1, 1), skip)));
    return s;
  }

  private static Sheet pools() {
    Sheet s = new Sheet("pools", 111).batches(2L, 0L, 1L);
    Value x = s.input(Sheet.batch(5, 9, 10));
    Value edges = s.input(Data.EDGES, ElementType.F32, Sheet.batch(20, 9, 10));
    Value twenty = s.input(Sheet.batch(20, 9, 10));
    Value blocked = s.at("c").conv(window(2, 3, 1, 1, 1, 1), 1, x, s.constant(20, 5, 3, 3));
    Value line = s.input(Sheet.batch(3, 11));
    Value strand =
        s.at("c").conv(window(1, 3, 1, 1, 1, 1), 1, line, s.constant(20, 3, 3)); // blocked
    Value cube = s.input(Sheet.batch(2, 4, 5, 4));
    Value wide = s.input(Data.EDGES, ElementType.F32, Sheet.batch(1, 4, 40));
    Value wider = s.input(Sheet.batch(2, 4, 40));
    Value slab = s.input(Sheet.batch(1, 3, 4, 20));
    for (PoolKind kind : PoolKind.values()) {
      s.check(kind + " plain", s.at("p").pool(kind, window(2, 2, 2, 1, 0, 0), false, x));
      s.check(kind + " padded", s.at("p").pool(kind, window(2, 3, 2, 1, 1, 2), false, x));
      s.check(kind + " ceiling", s.at("p").pool(kind, window(2, 3, 2, 1, 1, 0), true, x));
      s.check(kind + " dilated", s.at("p").pool(kind, window(2, 3, 1, 2, 2, 2), true, x));
      s.check(kind + " blocked", s.at("p").pool(kind, window(2, 2, 2, 1, 0, 0), false, blocked));
      s.check(
          kind + " blocked, ceiling",
          s.at("p").pool(kind, window(2, 3, 2, 1, 1, 0), true, blocked));
      s.check(
          kind + " blocked, dilated",
          s.at("p").pool(kind, window(2, 3, 2, 2, 2, 2), true, blocked));
      s.check(
          kind + " global",
          s.at("p")
              .pool(
                  kind,
                  new Window(
                      List.of(9, 10), List.of(1, 1), List.of(1, 1), List.of(0, 0), List.of(0, 0)),
                  false,
                  twenty));
      s.check(kind + " one axis", s.at("p").pool(kind, window(1, 3, 2, 1, 1, 1), true, line));
      s.check(
          kind + " one axis, blocked",
          s.at("p").pool(kind, window(1, 3, 2, 1, 1, 1), true, strand));
      s.check(kind + " wide", s.at("p").pool(kind, window(2, 5, 1, 1, 2, 2), false, x));
      s.check(kind + " three axes", s.at("p").pool(kind, window(3, 2, 2, 1, 1, 0), false, cube));
      s.check(kind + " near", s.at("p").pool(kind, window(2, 3, 1, 1, 1, 2), true, wider));
    }
    s.check(
        "AVERAGE near, three axes",
        s.at("p").pool(PoolKind.AVERAGE, window(3, 3, 1, 2, 2, 1), false, slab));
    s.check("MAX near", s.at("p").pool(PoolKind.MAX, window(2, 3, 1, 1, 0, 1), false, wide));
    s.check(
        "near, fused",
        s.at("f")
            .op(
                new Op.WindowReduce(PoolKind.AVERAGE, window(2, 2, 1, 1, 1, 0), false),
                List.of(wider),
                max(arg(0), const_(ElementType.F32, 0.0)),
                List.of()));
    Value edged = s.at("c").conv(window(2, 1, 1, 1, 0, 0), 20, edges, s.constant(20, 1, 1, 1));
    for (int kernel : new int[] {2, 3, 9}) {
      s.check(
          "MAX of blocked edges, " + kernel,
          s.at("p").pool(PoolKind.MAX, window(2, kernel, 1, 1, 1, 1), false, edged));
    }
    s.check("MAX of edges", s.at("p").pool(PoolKind.MAX, window(2, 2, 2, 1, 0, 0), false, edges));
    Value doubled = s.at("d").elementwise(add(arg(0), arg(0)), edges);
    s.check(
        "MAX of edges, blocked",
        s.at("p").pool(PoolKind.MAX, window(2, 2, 2, 1, 0, 0), false, doubled));
    Value whole = s.input(Data.NORMAL, ElementType.I32, Sheet.batch(2, 4, 4));
    s.check(
        "average without a tap",
        s.at("p").pool(PoolKind.AVERAGE, window(2, 2, 2, 1, 2, 2), false, whole));
    s.check(
        "average of floats without a tap",
        s.at("p").pool(PoolKind.AVERAGE, window(2, 2, 2, 1, 2, 2), false, x));
    Op op = new Op.WindowReduce(PoolKind.MAX, window(2, 2, 2, 1, 0, 0), false);
    s.check("fused", s.at("f").op(op, List.of(blocked), RELU, List.of(s.constant(20, 1, 1))));
    Value skip = s.input(Sheet.batch(20, 4, 5));
    Expr both = select(lt(arg(0), arg(2)), mul(arg(0), arg(1)), tanh(arg(0)));
    List<Value> extra = List.of(s.constant(20, 1, 1), skip);
    s.check("fused with another", s.at("f").op(op, List.of(blocked), both, extra));
    Value gate = s.input(Sheet.dims(20, 1, 1));
    s.check("fused with an input", s.at("f").op(op, List.of(blocked), RELU, List.of(gate)));
    return s;
  }
}
