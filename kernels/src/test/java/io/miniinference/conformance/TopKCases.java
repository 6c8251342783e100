package io.miniinference.conformance;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;

/// TopK: every type with ties and what is at its edges, and rows that take several kernels.
final class TopKCases {
  private TopKCases() {}

  static List<Sheet> sheets() {
    List<Sheet> sheets = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      if (type != ElementType.BOOL) {
        sheets.add(kinds(type));
      }
    }
    sheets.add(shapes());
    for (ElementType type : List.of(ElementType.F32, ElementType.I64, ElementType.F16)) {
      sheets.add(longRows(type));
    }
    return sheets;
  }

  private static Sheet kinds(ElementType type) {
    Sheet s = new Sheet("top-k of " + type, 700 + type.ordinal()).batches(3L, 0L, 1L);
    Value ties = s.input(Data.TIES, type, Sheet.batch(37));
    Value edges = s.input(Data.EDGES, type, Sheet.dims(50));
    for (boolean largest : List.of(true, false)) {
      check(s, "ties", new Op.TopK(1, 9, largest), ties);
      check(s, "edges", new Op.TopK(0, 50, largest), edges);
    }
    if (type.bytes() == Integer.BYTES) { // of which a CPU's kernel finds a bound first
      Value more = s.input(Data.EDGES, type, Sheet.dims(650));
      check(s, "many edges", new Op.TopK(0, 40, true), more);
      check(s, "many edges", new Op.TopK(0, 40, false), more);
    }
    return s;
  }

  private static Sheet shapes() {
    Sheet s = new Sheet("shapes of top-k", 730);
    Value x = s.input(Data.TIES, ElementType.F32, Sheet.batch(6, 5));
    check(s, "an axis in the middle", new Op.TopK(1, 4, true), x);
    check(s, "nothing", new Op.TopK(2, 0, true), x);
    check(s, "all", new Op.TopK(2, 5, false), x);
    Value turned = s.at("t").transpose(x, List.of(2, 0, 1));
    check(s, "a turned operand", new Op.TopK(0, 2, true), turned);
    Value part = s.at("p").slice(x, 1, Affine.of(2), Affine.of(3));
    check(s, "a part", new Op.TopK(1, 3, false), part);
    Value one = s.input(Data.TIES, ElementType.I32, Sheet.batch(1));
    check(s, "rows of one", new Op.TopK(1, 1, true), one);
    Value none = s.input(Data.TIES, ElementType.I32, Sheet.batch(0));
    check(s, "rows of none", new Op.TopK(1, 0, true), none);
    List<Op.TopK.Part> places = List.of(Op.TopK.Part.INDICES);
    List<Op.TopK.Part> values = List.of(Op.TopK.Part.VALUES);
    s.check("places", s.at("i").op(new Op.TopK(2, 3, true, places), x));
    s.check("values", s.at("v").op(new Op.TopK(2, 3, true, values), x));
    return s;
  }

  /* Rows of several tiles and chunks, with few and with many results, whose lists do not come out
  even. */
  private static Sheet longRows(ElementType type) {
    Sheet s = new Sheet("long rows of top-k of " + type, 740 + type.ordinal()).batches(2L, 1L);
    Value x = s.input(Data.NORMAL, type, Sheet.batch(5200));
    Value ties = s.input(Data.TIES, type, Sheet.dims(3, 2600));
    Value longest = s.input(Data.NORMAL, type, Sheet.batch(33000));
    check(s, "few of many", new Op.TopK(1, 7, true), x);
    check(s, "tiles of two lists", new Op.TopK(1, 500, false), x);
    check(s, "many of many", new Op.TopK(1, 2100, true), x);
    check(s, "a sort", new Op.TopK(1, 2600, false), ties);
    check(s, "some of very many", new Op.TopK(1, 100, true), longest);
    return s;
  }

  private static void check(Sheet s, String label, Op.TopK op, Value x) {
    List<Value> results = s.at("t").all(op, x);
    String all = label + (op.largest() ? ", largest" : ", smallest");
    s.check("values of " + all, results.get(0));
    s.check("places of " + all, results.get(1));
  }
}
