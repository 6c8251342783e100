package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.pow;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Op.ScanKind;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;

/// Reductions, and operators that see a whole line.
final class ReductionCases {
  private ReductionCases() {}

  static List<Sheet> reductions() {
    List<Sheet> sheets = new ArrayList<>(List.of(axes(), rows(), planes(), neighbours()));
    for (ElementType type : ElementType.values()) {
      if (type != ElementType.I16 && type != ElementType.U16 && type != ElementType.U32) {
        sheets.add(kinds(type));
      }
    }
    return sheets;
  }

  private static Sheet axes() {
    Sheet s = new Sheet("reduced axes", 20);
    Value x = s.input(Sheet.batch(3, 5, 4));
    for (List<Integer> axes :
        List.of(
            List.of(3),
            List.of(1),
            List.of(2, 3),
            List.of(1, 3),
            List.of(0),
            List.of(0, 2),
            List.of(0, 1, 2, 3),
            List.<Integer>of())) {
      s.check("sum over " + axes, s.at("s").reduce(ReduceKind.SUM, axes, false, x));
      s.check("kept sum over " + axes, s.at("k").reduce(ReduceKind.SUM, axes, true, x));
    }
    Expr squared = mul(arg(0), arg(0));
    s.check("squares", s.at("q").reduce(ReduceKind.SUM, List.of(3), false, squared, x));
    Expr positive = cast(ElementType.I64, gt(arg(0), const_(ElementType.F32, 0.0)));
    s.check("count", s.at("c").reduce(ReduceKind.SUM, List.of(2, 3), false, positive, x));
    Value bias = s.input(Sheet.batch(3));
    s.check(
        "epilogue",
        s.at("e")
            .op(
                new Op.Reduce(ReduceKind.SUM, List.of(2, 3), false, arg(0)),
                List.of(x),
                add(mul(arg(0), const_(ElementType.F32, 0.25)), arg(1)),
                List.of(bias)));
    Value turned = s.at("t").transpose(x, List.of(3, 1, 0, 2));
    s.check("turned", s.at("u").reduce(ReduceKind.MAX, List.of(0, 1), true, turned));
    return s;
  }

  /* Rows that fill vectors, and some lanes of one more. */
  private static Sheet rows() {
    Sheet s = new Sheet("reduced rows", 21).batches(3L, 0L, 1L);
    Expr squared = mul(arg(0), arg(0));
    for (long columns : List.of(16L, 37L, 64L, 147L)) {
      Value x = s.input(Sheet.batch(3, columns));
      Value edges = s.input(Data.EDGES, ElementType.F32, Sheet.batch(2, columns));
      for (ReduceKind kind : List.of(ReduceKind.SUM, ReduceKind.MAX, ReduceKind.MIN)) {
        String label = kind + " of " + columns;
        s.check(label, s.at("r").reduce(kind, List.of(2), false, x));
        s.check(label + ", squares", s.at("q").reduce(kind, List.of(2), true, squared, x));
        if (kind != ReduceKind.SUM) {
          s.check(label + ", edges", s.at("e").reduce(kind, List.of(2), false, edges));
        }
      }
      if (columns > 37) {
        places(s, "of " + columns, x, edges);
      }
      Value other = s.input(Sheet.batch(3));
      s.check(
          "epilogue of " + columns,
          s.at("p")
              .op(
                  new Op.Reduce(ReduceKind.MAX, List.of(2), false, arg(0)),
                  List.of(x),
                  add(mul(arg(0), const_(ElementType.F32, 0.25)), arg(1)),
                  List.of(other)));
    }
    Value turned = s.at("t").transpose(s.input(Sheet.batch(32, 6)), List.of(0, 2, 1));
    s.check("turned", s.at("t").reduce(ReduceKind.MAX, List.of(2), false, turned));
    return s;
  }

  private static void places(Sheet s, String label, Value x, Value edges) {
    Expr squared = mul(arg(0), arg(0));
    for (ReduceKind kind : List.of(ReduceKind.ARG_MAX, ReduceKind.ARG_MIN)) {
      String place = kind + " " + label;
      s.check(place + ", edges", s.at("e").reduce(kind, List.of(2), false, edges));
      s.check(place + ", squares", s.at("q").reduce(kind, List.of(2), true, squared, x));
    }
  }

  /* Several last axes as one row, and such that have gaps between them. */
  private static Sheet planes() {
    Sheet s = new Sheet("reduced planes", 22).batches(2L, 0L, 1L);
    Value x = s.input(Sheet.batch(3, 7, 9));
    Value some = s.at("v").slice(x, 2, Affine.ONE, Affine.of(5));
    Expr power = pow(max(arg(0), const_(ElementType.F32, 0.25)), const_(ElementType.F32, 2.9));
    for (List<Integer> axes : List.of(List.of(2, 3), List.of(1, 2, 3), List.of(3, 2))) {
      for (ReduceKind kind : List.of(ReduceKind.SUM, ReduceKind.MIN)) {
        s.check(kind + " over " + axes, s.at("r").reduce(kind, axes, true, x));
        s.check(kind + " of rows over " + axes, s.at("g").reduce(kind, axes, false, some));
      }
      s.check("powers over " + axes, s.at("p").reduce(ReduceKind.SUM, axes, false, power, x));
    }
    return s;
  }

  /* Along an axis that is not the last, of more neighbours than are taken side by side. */
  private static Sheet neighbours() {
    Sheet s = new Sheet("reduced neighbours", 23).batches(2L, 0L, 1L);
    Value edges = s.input(Data.EDGES, ElementType.F32, Sheet.batch(5, 70));
    Value whole = s.input(Data.TIES, ElementType.I32, Sheet.batch(5, 19));
    for (ReduceKind kind : ReduceKind.values()) {
      if (kind != ReduceKind.SUM && kind != ReduceKind.PRODUCT) {
        s.check(kind + " of edges", s.at("e").reduce(kind, List.of(1), true, edges));
      }
    }
    for (ReduceKind kind : List.of(ReduceKind.SUM, ReduceKind.MAX, ReduceKind.ARG_MIN_LAST)) {
      s.check(kind + " of integers", s.at("i").reduce(kind, List.of(1), false, whole));
    }
    Value x = s.input(Sheet.batch(4, 3, 32));
    s.check("in vectors", s.at("v").reduce(ReduceKind.SUM, List.of(1), false, x));
    s.check("over two axes", s.at("t").reduce(ReduceKind.MAX, List.of(1, 2), false, x));
    Value some = s.at("p").slice(x, 3, Affine.of(7), Affine.of(20));
    Expr squared = mul(arg(0), arg(0));
    s.check("squares", s.at("q").reduce(ReduceKind.SUM, List.of(2), true, squared, some));
    s.check(
        "mean",
        s.at("m")
            .op(
                new Op.Reduce(ReduceKind.SUM, List.of(1), true, arg(0)),
                List.of(some),
                add(mul(arg(0), const_(ElementType.F32, 0.25)), arg(1)),
                List.of(s.constant(20))));
    return s;
  }

  private static Sheet kinds(ElementType type) {
    Sheet s = new Sheet("reductions of " + type, 30 + type.ordinal());
    Value ties = s.input(Data.TIES, type, Sheet.batch(6, 5));
    Value edges = s.input(Data.EDGES, type, Sheet.dims(8, 5));
    Value none = s.input(Data.TIES, type, Sheet.batch(0, 2));
    for (ReduceKind kind : ReduceKind.values()) {
      boolean extreme = kind == ReduceKind.MAX || kind == ReduceKind.MIN;
      if (type == ElementType.BOOL && !extreme) {
        continue;
      }
      if (!extreme) {
        s.check(kind + " of ties", s.at("t").reduce(kind, List.of(1), false, ties));
      }
      if (kind != ReduceKind.SUM && kind != ReduceKind.PRODUCT) {
        s.check(kind + " of edges", s.at("e").reduce(kind, List.of(1), true, edges));
      }
      if (extreme || kind == ReduceKind.PRODUCT) {
        s.check(kind + " of nothing", s.at("n").reduce(kind, List.of(1), false, none));
      }
    }
    return s;
  }

  static List<Sheet> lines() {
    List<Sheet> sheets = new ArrayList<>();
    for (ElementType type :
        List.of(ElementType.F32, ElementType.F64, ElementType.F16, ElementType.BF16)) {
      sheets.add(lines(type));
    }
    sheets.add(normalizedPlanes());
    sheets.add(sideBySide());
    for (ElementType type : List.of(ElementType.I32, ElementType.U8, ElementType.I64)) {
      Sheet s = new Sheet("scans of " + type, 60 + type.ordinal());
      scans(s, s.input(Data.EDGES, type, Sheet.batch(3, 5)));
      sheets.add(s);
    }
    return sheets;
  }

  private static Sheet lines(ElementType type) {
    Sheet s = new Sheet("lines of " + type, 50 + type.ordinal());
    Value x = s.input(Data.NORMAL, type, Sheet.batch(6, 17));
    for (int axis = 0; axis < 3; axis++) {
      s.check("softmax " + axis, s.at("s").softmax(axis, false, x));
      s.check("log softmax " + axis, s.at("l").softmax(axis, true, x));
    }
    for (List<Integer> axes : List.of(List.of(2), List.of(1), List.of(1, 2), List.of(0))) {
      // Lines of a single element, or of equal ones, divide rounding by rounding.
      double epsilon = axes.contains(0) ? 1 : 1e-3;
      s.check("normalize " + axes, s.at("n").normalize(axes, epsilon, true, x));
      s.check("root mean square " + axes, s.at("r").normalize(axes, epsilon, false, x));
    }
    s.check("a tiny epsilon", s.at("n").normalize(List.of(2), 1e-300, true, x));
    Value scale = s.constant(Data.POSITIVE, type, 17);
    Value bias = s.constant(Data.NORMAL, type, 17);
    s.check(
        "scale and bias",
        s.at("n")
            .op(
                new Op.Normalize(List.of(2), 1e-5, true),
                List.of(x),
                add(mul(arg(0), arg(1)), arg(2)),
                List.of(scale, bias)));
    scans(s, x);
    Value edges = s.input(Data.EDGES, type, Sheet.dims(9, 4));
    s.check("softmax of edges", s.at("s").softmax(0, false, edges));
    return s;
  }

  /* Of images, with what is of a channel and what is of a place. */
  private static Sheet normalizedPlanes() {
    Sheet s = new Sheet("normalized planes", 58).batches(2L, 0L, 1L);
    Value x = s.input(Sheet.batch(3, 7, 9));
    Op op = new Op.Normalize(List.of(2, 3), 1e-5, true);
    Expr scaled = add(mul(arg(0), arg(1)), arg(2));
    List<Value> ofChannels = List.of(s.constant(3, 1, 1), s.constant(1, 1, 1));
    s.check("scale and bias", s.at("c").op(op, List.of(x), scaled, ofChannels));
    List<Value> ofPlaces = List.of(s.constant(7, 9), s.input(Sheet.batch(3, 7, 9)));
    s.check("an image", s.at("p").op(op, List.of(x), scaled, ofPlaces));
    s.check("a column", s.at("o").op(op, List.of(x), scaled, List.of(s.constant(9), x)));
    Value some = s.at("v").slice(x, 2, Affine.ONE, Affine.of(5));
    s.check("of a part", s.at("s").normalize(List.of(2, 3), 1e-5, false, some));
    Value large = s.input(Sheet.batch(2, 17, 18));
    s.check("large", s.at("l").normalize(List.of(2, 3), 1e-5, true, large));
    return s;
  }

  /* Running values of more neighbours than a work item has, and of such with gaps between them. */
  private static Sheet sideBySide() {
    Sheet s = new Sheet("scans side by side", 59).batches(2L, 0L, 1L);
    Value x = s.input(Sheet.batch(4, 3, 90));
    s.check("of planes", s.at("p").scan(ScanKind.SUM, 1, false, true, x));
    Value some = s.at("v").slice(x, 3, Affine.of(7), Affine.of(60));
    s.check("of a part", s.at("s").scan(ScanKind.SUM, 1, true, false, some));
    s.check("of rows", s.at("f").scan(ScanKind.SUM, 0, false, false, x));
    return s;
  }

  private static void scans(Sheet s, Value x) {
    for (ScanKind kind : ScanKind.values()) {
      for (int variant = 0; variant < 4; variant++) {
        boolean exclusive = variant % 2 == 1;
        boolean reverse = variant / 2 == 1;
        String label = kind + (exclusive ? " exclusive" : "") + (reverse ? " reverse" : "");
        s.check("scan " + label, s.at("s").scan(kind, variant % 3, exclusive, reverse, x));
      }
    }
    Value none = s.at("z").slice(x, 1, Affine.ZERO, Affine.ZERO);
    s.check("scan of nothing", s.at("s").scan(ScanKind.SUM, 2, false, false, none));
  }
}
