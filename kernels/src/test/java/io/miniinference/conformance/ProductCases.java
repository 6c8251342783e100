package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;

/// Matrix products.
final class ProductCases {
  private static final Expr RELU = max(add(arg(0), arg(1)), const_(ElementType.F32, 0.0));

  private ProductCases() {}

  static List<Sheet> sheets() {
    List<Sheet> sheets = new ArrayList<>(List.of(weights(), pairs(), epilogues(), longSums()));
    for (ElementType type :
        List.of(
            ElementType.F64, ElementType.F16, ElementType.BF16, ElementType.I32, ElementType.U8)) {
      sheets.add(typed(type));
    }
    return sheets;
  }

  /* Sums long enough for several work-groups to share them, over a depth that does not come out even
  and one that does; rows of their own, and rows that are gathered on the way. */
  private static Sheet longSums() {
    Sheet s = new Sheet("long sums of products", 77).batches(1L, 0L, 3L);
    Value x = s.input(Sheet.batch(4100));
    Value bias = s.constant(70);
    Expr relu = max(add(arg(0), arg(1)), const_(ElementType.F32, 0.0));
    Op product = new Op.MatMul(false, false);
    s.check("4100 by 70", s.at("m").matMul(x, s.constant(4100, 70)));
    s.check(
        "bias and relu",
        s.at("e").op(product, List.of(x, s.constant(4100, 70)), relu, List.of(bias)));
    Value even = s.input(Sheet.batch(3, 2240));
    s.check("2240 by 9", s.at("m").matMul(even, s.constant(2240, 9)));
    Value places = s.input(Data.UNIT, ElementType.I64, Sheet.batch());
    Value rows = s.at("g").gather(0, s.constant(5, 2300), places);
    s.check("gathered rows", s.at("m").matMul(rows, s.constant(2300, 33)));
    return s;
  }

  /* Rows come as 3N: 1 to 20 and more with the batches; columns around whole vectors. */
  private static Sheet weights() {
    Sheet s = new Sheet("products with weights", 70).batches(1L, 0L, 2L, 3L, 5L, 7L, 19L);
    Value x = s.input(Sheet.batch(12));
    Value odd = s.input(List.of(Affine.batch(3), Affine.of(7)));
    long[] widths = {1, 10, 16, 17, 32, 33, 70};
    for (int c = 0; c < widths.length; c++) {
      long columns = widths[c];
      s.thinned(2, c);
      s.check("12 by " + columns, s.at("m").matMul(x, s.constant(12, columns)));
      s.check(
          "turned, 12 by " + columns, s.at("m").matMul(x, s.constant(columns, 12), false, true));
      s.check("7 by " + columns, s.at("m").matMul(odd, s.constant(7, columns)));
    }
    s.thinned(1, 0);
    Value deep = s.input(Sheet.batch(3, 2, 5));
    s.check("rank 4", s.at("m").matMul(deep, s.constant(5, 18)));
    Value turned = s.at("t").transpose(deep, List.of(0, 2, 1, 3));
    s.check("rank 4, turned", s.at("m").matMul(turned, s.constant(5, 18)));
    Value part = s.at("p").slice(x, 0, Affine.ZERO, Affine.N);
    s.check("a part", s.at("m").matMul(part, s.constant(12, 9)));
    Value tail = s.at("p").slice(odd, 0, Affine.N, Affine.N);
    s.check("from the batch on", s.at("m").matMul(tail, s.constant(7, 33)));
    s.check(
        "no depth",
        s.at("m").matMul(s.at("z").slice(x, 1, Affine.ZERO, Affine.ZERO), s.constant(0, 5)));
    s.check("no columns", s.at("m").matMul(x, s.constant(12, 0)));
    s.check(
        "turned left",
        s.at("m").matMul(s.input(Sheet.dims(12, 5)), s.constant(12, 20), true, false));
    return s;
  }

  private static Sheet pairs() {
    Sheet s = new Sheet("products of two inputs", 71);
    Value a = s.input(Sheet.batch(2, 5, 8));
    Value b = s.input(Sheet.batch(1, 8, 6));
    s.check("batched", s.at("m").matMul(a, b));
    s.check("right broadcast", s.at("m").matMul(a, s.input(Sheet.dims(8, 3))));
    s.check("left broadcast", s.at("m").matMul(s.input(Sheet.dims(4, 8)), b));
    s.check(
        "both turned",
        s.at("m").matMul(s.input(Sheet.batch(8, 5)), s.input(Sheet.batch(66, 8)), true, true));
    Value deep = s.input(Sheet.batch(9, 3000));
    s.check("deep, turned", s.at("m").matMul(deep, s.input(Sheet.batch(18, 3000)), false, true));
    s.check("weights of rank 3", s.at("m").matMul(a, s.constant(2, 8, 130)));
    Value columns = s.input(List.of(Affine.of(8), Affine.N));
    s.check("columns in the batch", s.at("m").matMul(s.input(Sheet.dims(3, 8)), columns));
    s.check(
        "columns in the batch, turned",
        s.at("m").matMul(s.constant(3, 8), s.input(Sheet.batch(8)), false, true));
    s.check(
        "depth in the batch",
        s.at("m").matMul(s.input(List.of(Affine.of(3), Affine.N)), s.input(Sheet.batch(4))));
    s.check(
        "depth in the batch, turned",
        s.at("m").matMul(s.input(Sheet.batch(3)), s.input(Sheet.batch(4)), true, false));
    return s;
  }

  private static Sheet epilogues() {
    Sheet s = new Sheet("epilogues of products", 72).batches(1L, 9L, 4L, 0L);
    long[] widths = {10, 16, 33};
    for (int c = 0; c < widths.length; c++) {
      List<Epilogue> all = epilogues(s, widths[c]);
      Value x = s.input(Sheet.batch(12));
      Value w = s.constant(12, widths[c]);
      for (int i = 0; i < all.size(); i++) {
        if (Sheet.isTried(3, c, i)) {
          Epilogue one = all.get(i);
          fused(s, widths[c] + ": " + one.label, x, w, one.expr, one.operands);
        }
      }
    }
    Value x = s.input(Sheet.batch(12));
    fused(
        s,
        "constant residual",
        s.input(Sheet.dims(4, 12)),
        s.constant(12, 20),
        RELU,
        s.constant(4, 20));
    fused(s, "cast", x, s.constant(12, 20), cast(ElementType.I32, arg(0)));
    return s;
  }

  private record Epilogue(String label, Expr expr, Value... operands) {}

  private static List<Epilogue> epilogues(Sheet s, long columns) {
    Value same = s.input(Sheet.batch(columns));
    Value lanes = s.constant(columns);
    Value wide = s.input(Sheet.batch(columns + 5));
    Value view = s.at("p").slice(wide, 1, Affine.of(3), Affine.of(columns));
    Value two = s.input(List.of(Affine.batch(2), Affine.of(columns)));
    Value second = s.at("p").slice(two, 0, Affine.N, Affine.N);
    Expr largest = max(arg(0), const_(ElementType.F32, Double.NaN));
    return List.of(
        new Epilogue("bias", RELU, lanes),
        new Epilogue("bias row", RELU, s.constant(1, columns)),
        new Epilogue("residual", tanh(add(arg(0), arg(1))), same),
        new Epilogue("bias and residual", add(mul(arg(0), arg(2)), arg(1)), lanes, same),
        new Epilogue("scalar", RELU, s.constant()),
        new Epilogue("per row", RELU, s.input(Sheet.batch(1))),
        new Epilogue("input bias", RELU, s.input(Sheet.dims(columns))),
        new Epilogue("residual view", RELU, view),
        new Epilogue("residual from the batch on", RELU, second),
        new Epilogue("NaN", largest));
  }

  private static void fused(
      Sheet s, String label, Value x, Value w, Expr epilogue, Value... extra) {
    Op product = new Op.MatMul(false, false);
    s.check(label, s.at(label).op(product, List.of(x, w), epilogue, List.of(extra)));
  }

  private static Sheet typed(ElementType type) {
    Sheet s = new Sheet("products of " + type, 80 + type.ordinal());
    Value x = s.input(Data.NORMAL, type, Sheet.batch(9));
    s.check("weights", s.at("m").matMul(x, s.constant(Data.NORMAL, type, 9, 17)));
    s.check("turned", s.at("m").matMul(x, s.constant(Data.NORMAL, type, 5, 9), false, true));
    s.check(
        "edges",
        s.at("m")
            .matMul(
                s.input(Data.TIES, type, Sheet.batch(2, 6)),
                s.input(Data.TIES, type, Sheet.batch(6, 4))));
    return s;
  }
}
