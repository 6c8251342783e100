package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.extent;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.rem;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Movements: broadcasts, computed coordinates, views, concatenations, gathers.
final class MovementCases {
  private static final Affine ZERO = Affine.ZERO;
  private static final Expr SUM = add(arg(0), arg(1));

  private MovementCases() {}

  static List<Sheet> expressions() {
    return List.of(broadcasts(), computed());
  }

  private static Sheet broadcasts() {
    Sheet s = new Sheet("broadcasts", 1);
    pair(s, "scalars", Sheet.dims(), Sheet.dims());
    pair(s, "scalar with batch", Sheet.dims(), Sheet.batch(5));
    pair(s, "one with batch", Sheet.dims(1), Sheet.batch());
    pair(s, "rows with columns", Sheet.batch(1), Sheet.dims(7));
    pair(s, "both ways", Sheet.dims(3, 1, 5), Sheet.dims(4, 1));
    pair(s, "batch with one", Sheet.batch(4, 5), Sheet.dims(1, 4, 1));
    pair(s, "batch inside", List.of(Affine.of(3), Affine.N, Affine.of(2)), Sheet.dims(3, 1, 1));
    pair(s, "batch last", List.of(Affine.of(3), Affine.N), Sheet.dims(3, 1));
    pair(s, "five axes", Sheet.dims(2, 1, 3, 1, 2), Sheet.batch(2).subList(1, 2));
    pair(s, "twice the batch", List.of(Affine.batch(2), Affine.of(3)), Sheet.dims(3));
    pair(s, "nothing", Sheet.dims(0, 3), Sheet.dims(1, 3));
    pair(s, "nothing by broadcast", Sheet.dims(2, 0), Sheet.dims(1, 1));
    pair(s, "long rows", Sheet.dims(3, 9001), Sheet.dims(9001));
    return s;
  }

  private static void pair(Sheet s, String label, List<Affine> a, List<Affine> b) {
    s.check(label, s.at(label).elementwise(SUM, s.input(a), s.input(b)));
  }

  private static Sheet computed() {
    Sheet s = new Sheet("computed coordinates", 2);
    Value x = s.input(Sheet.batch(5, 6));
    Expr flipped = sub(const_(5), index(2));
    Expr mirrored = at(0, index(0), index(1), flipped);
    s.check("mirror", s.at("mirror").elementwise(mirrored, x.type().shape(), List.of(x)));
    s.check(
        "mirror and itself", s.at("m").elementwise(add(mirrored, arg(0)), x.type().shape(), of(x)));
    Expr inside = and(ge(index(2), const_(2)), lt(index(2), const_(8)));
    Expr read = at(0, index(0), index(1), sub(index(2), const_(2)));
    Expr padded = select(inside, read, const_(ElementType.F32, -7.5));
    s.check("pad", s.at("pad").elementwise(padded, Sheet.batch(5, 10), of(x)));
    Expr last = sub(sub(extent(Affine.N), const_(1)), index(0));
    s.check(
        "batch backwards",
        s.at("b").elementwise(at(0, last, index(1), index(2)), x.type().shape(), of(x)));
    Expr counted = add(mul(index(0), const_(10)), rem(index(1), const_(3)));
    s.check("indices", s.at("i").elementwise(counted, Sheet.batch(7), List.of()));
    Expr halves = cast(ElementType.F16, add(index(0), index(1)));
    s.check("half of indices", s.at("h").elementwise(halves, Sheet.dims(3, 4), List.of()));
    s.check("size", s.at("n").elementwise(extent(new Affine(2, 5)), Sheet.dims(), List.of()));
    Value grid = s.input(Data.UNIT, ElementType.I64, Sheet.batch(4));
    Expr looked = at(0, index(0), at(1, index(0), index(1)), const_(1));
    s.check("looked up", s.at("l").elementwise(looked, Sheet.batch(4), List.of(x, grid)));
    Value flags = s.input(Data.NORMAL, ElementType.BOOL, Sheet.batch(5, 1));
    s.check(
        "where",
        s.at("w").elementwise(select(arg(0), arg(1), const_(ElementType.F32, 0.0)), flags, x));
    Value bytes = s.input(Data.EDGES, ElementType.U8, Sheet.batch(5, 6));
    s.check("bytes to floats", s.at("c").elementwise(cast(ElementType.F32, arg(0)), bytes));
    s.check("floats to bytes", s.at("c").elementwise(cast(ElementType.I8, arg(0)), x));
    return s;
  }

  private static List<Value> of(Value value) {
    return List.of(value);
  }

  static List<Sheet> movements() {
    List<Sheet> sheets =
        new ArrayList<>(
            List.of(views(), viewsIntoOperators(), gathers(), picks(), updates(), manyUpdates()));
    for (ElementType type : List.of(ElementType.U8, ElementType.F16, ElementType.F64)) {
      sheets.add(concatenations(type));
    }
    return sheets;
  }

  private static Sheet views() {
    Sheet s = new Sheet("views as outputs", 3);
    Value x = s.input(Sheet.batch(4, 6));
    viewed(s, "", x);
    Value y = s.at("y").elementwise(add(arg(0), arg(0)), x);
    viewed(s, "of a result: ", y);
    Value bytes = s.input(Data.EDGES, ElementType.I8, Sheet.batch(4, 6));
    viewed(s, "of bytes: ", bytes);
    Value w = s.constant(3, 4);
    s.check("a constant", w);
    s.check("a constant, turned", s.at("t").transpose(w, List.of(1, 0)));
    s.check("an input", x);
    s.check("an input again", x);
    return s;
  }

  private static void viewed(Sheet s, String of, Value x) {
    Value turned = s.at("t").transpose(x, List.of(2, 0, 1));
    s.check(of + "turned", turned);
    s.check(of + "reshaped", s.at("r").reshape(x, Sheet.batch(24)));
    s.check(of + "reshaped across", s.at("r").reshape(x, List.of(Affine.batch(8), Affine.of(3))));
    s.check(of + "turned, reshaped", s.at("r").reshape(turned, List.of(Affine.batch(24))));
    Value part = s.at("p").slice(x, 1, Affine.ONE, Affine.of(2));
    s.check(of + "part", part);
    s.check(of + "part, reshaped", s.at("r").reshape(part, Sheet.batch(12)));
    Value back =
        s.at("b")
            .slice(
                x,
                List.of(ZERO, Affine.of(3), Affine.of(5)),
                List.of(1L, -2L, -1L),
                Sheet.batch(2, 6));
    s.check(of + "backwards", back);
    s.check(of + "backwards, reshaped", s.at("r").reshape(back, Sheet.batch(3, 4)));
    Value one = s.at("o").slice(x, 2, Affine.of(3), Affine.ONE);
    Value wide = s.at("e").expand(one, Sheet.batch(4, 5));
    s.check(of + "expanded", wide);
    s.check(of + "expanded, reshaped", s.at("r").reshape(wide, Sheet.batch(20)));
    Value none = s.at("z").slice(x, 1, ZERO, ZERO);
    s.check(of + "nothing", none);
    s.check(of + "nothing, reshaped", s.at("r").reshape(none, Sheet.batch(3, 0)));
    Value deep = s.at("d").reshape(x, Sheet.batch(2, 2, 3, 2));
    s.check(of + "five axes", s.at("t").transpose(deep, List.of(3, 0, 4, 1, 2)));
  }

  private static Sheet viewsIntoOperators() {
    Sheet s = new Sheet("views into operators", 4);
    Value x = s.input(Sheet.batch(6, 8));
    List<Value> views = new ArrayList<>();
    views.add(s.at("t").transpose(x, List.of(0, 2, 1)));
    views.add(
        s.at("b")
            .slice(x, List.of(ZERO, Affine.of(5), ZERO), List.of(1L, -1L, 2L), Sheet.batch(6, 4)));
    views.add(s.at("e").expand(s.at("o").slice(x, 1, Affine.of(2), Affine.ONE), Sheet.batch(3, 8)));
    views.add(s.at("p").slice(x, 1, Affine.of(3), Affine.of(3)));
    for (int i = 0; i < views.size(); i++) {
      Value v = views.get(i);
      String label = "view " + i + ": ";
      s.check(label + "doubled", s.at("a").elementwise(add(arg(0), arg(0)), v));
      Value w = s.constant(v.type().dim(2).asConstant(), 17);
      s.check(label + "product", s.at("m").matMul(v, w));
      Value self = s.at("m").matMul(v, v, false, true);
      s.check(label + "with itself", self);
      s.check(label + "softmax", s.at("s").softmax(1, false, v));
      s.check(
          label + "sum",
          s.at("r").reduce(io.miniinference.ir.Op.ReduceKind.SUM, List.of(1), false, v));
      s.check(label + "joined", s.at("c").concat(2, List.of(v, v)));
      s.check(
          label + "scan", s.at("c").scan(io.miniinference.ir.Op.ScanKind.SUM, 2, false, true, v));
    }
    return s;
  }

  private static Sheet concatenations(ElementType type) {
    Sheet s = new Sheet("concatenations of " + type, 5 + type.ordinal());
    Value a = s.input(Data.EDGES, type, Sheet.batch(2, 3));
    Value b = s.input(Data.EDGES, type, Sheet.batch(5, 3));
    Value none = s.input(Data.EDGES, type, Sheet.batch(0, 3));
    s.check("along the middle", s.at("c").concat(1, List.of(a, none, b, a)));
    s.check("along the batch", s.at("c").concat(0, List.of(a, a)));
    Value turned = s.at("t").transpose(a, List.of(0, 2, 1));
    s.check(
        "along the end",
        s.at("c").concat(2, List.of(turned, s.at("t").transpose(b, List.of(0, 2, 1)))));
    Value w = s.constant(Data.EDGES, type, 1, 2, 3);
    Value still = s.input(Data.EDGES, type, Sheet.dims(4, 2, 3));
    s.check("with a constant", s.at("c").concat(0, List.of(w, still, w)));
    Value joined = s.at("c").concat(1, List.of(a, b));
    s.check("of a concatenation", s.at("c").concat(1, List.of(joined, a)));
    s.check("a part of it", s.at("p").slice(joined, 1, Affine.ONE, Affine.of(4)));
    return s;
  }

  private static Sheet gathers() {
    Sheet s = new Sheet("gathers", 9);
    Value x = s.input(Sheet.batch(5, 6));
    Value table = s.constant(9, 4);
    gathered(s, "table by rows", 0, table, Sheet.batch(3), ElementType.I64);
    gathered(s, "table by row", 0, table, Sheet.batch(), ElementType.I32);
    gathered(s, "columns", 1, table, Sheet.dims(2, 2), ElementType.I8);
    gathered(s, "inner axis", 2, x, Sheet.dims(3), ElementType.I64);
    gathered(s, "by a scalar", 1, x, Sheet.dims(), ElementType.I64);
    gathered(s, "nothing", 1, x, Sheet.dims(0), ElementType.I64);
    gathered(
        s, "batch inside the indices", 0, table, List.of(Affine.of(2), Affine.N), ElementType.I32);
    Value halves = s.constant(Data.EDGES, ElementType.F16, 7, 3);
    gathered(s, "halves", 0, halves, Sheet.batch(2), ElementType.I64);
    Value flags = s.constant(Data.NORMAL, ElementType.BOOL, 7);
    gathered(s, "flags", 0, flags, Sheet.batch(2), ElementType.I64);
    Value index = indices(s, table, 0, Sheet.batch(3), ElementType.I64);
    Value bias = s.constant(4);
    Expr scaled = mul(add(arg(0), arg(1)), const_(ElementType.F32, 0.5));
    s.check(
        "with an epilogue",
        s.at("g")
            .op(
                new Op.Gather(new Selection.Slices(0)),
                List.of(table, index),
                scaled,
                List.of(bias)));
    Value turned = s.at("t").transpose(x, List.of(0, 2, 1));
    gathered(s, "turned", 2, turned, Sheet.dims(4), ElementType.I64);
    return s;
  }

  private static void gathered(
      Sheet s, String label, int axis, Value data, List<Affine> shape, ElementType type) {
    s.check(label, s.at(label).gather(axis, data, indices(s, data, axis, shape, type)));
  }

  /* Single elements, and what tuples name. */
  private static Sheet picks() {
    Sheet s = new Sheet("picks", 10);
    Value x = s.input(Sheet.batch(5, 6));
    picked(s, "elements of rows", 2, x, Sheet.batch(5, 4));
    picked(s, "elements of columns", 1, x, Sheet.batch(9, 2));
    picked(s, "elements of a table", 0, s.constant(7, 3), Sheet.batch(2));
    picked(s, "elements of a line", 0, s.constant(7), Sheet.batch());
    picked(s, "no elements", 1, x, Sheet.batch(0, 6));
    Value turned = s.at("t").transpose(x, List.of(0, 2, 1));
    picked(s, "elements of a view", 2, turned, Sheet.batch(6, 3));
    Value flags = s.constant(Data.NORMAL, ElementType.BOOL, 7, 2);
    picked(s, "flags", 0, flags, Sheet.batch(2));
    Value halves = s.input(Data.EDGES, ElementType.F16, Sheet.batch(5));
    picked(s, "halves", 1, halves, Sheet.batch(3));
    Value table = s.constant(3, 4, 5);
    named(s, "tables by number", 0, table, Sheet.batch(1));
    named(s, "rows by pairs", 0, table, Sheet.batch(2, 2));
    named(s, "elements by triples", 0, table, Sheet.batch(3));
    named(s, "one element", 0, table, Sheet.dims(3));
    named(s, "rows of the batch", 1, x, Sheet.batch(3, 1));
    named(s, "elements of the batch", 1, x, Sheet.batch(2));
    named(s, "elements of its rows", 2, x, Sheet.batch(5, 2, 1));
    named(s, "none", 0, table, Sheet.dims(0, 2));
    named(s, "of a view", 1, turned, Sheet.batch(3, 2));
    Value doubles = s.constant(Data.EDGES, ElementType.F64, 3, 4);
    named(s, "doubles", 0, doubles, Sheet.batch(2));
    return s;
  }

  /* Every kind of update, with several for one place. */
  private static Sheet updates() {
    Sheet s = new Sheet("updates", 11);
    Value x = s.input(Sheet.batch(5, 6));
    Value cube = s.input(Sheet.dims(3, 4, 7));
    for (Op.ScatterKind kind : Op.ScatterKind.values()) {
      elements(s, kind, 2, x, Sheet.batch(5, 9));
      tuples(s, kind, cube, Sheet.batch(4, 2));
    }
    Op.ScatterKind replace = Op.ScatterKind.REPLACE;
    elements(s, replace, 1, x, Sheet.batch(7, 4));
    elements(s, replace, 1, x, Sheet.batch(0, 4));
    elements(s, Op.ScatterKind.ADD, 0, s.input(Sheet.dims(9, 70)), Sheet.batch(70));
    Value table = s.input(Sheet.dims(6, 4, 5));
    tuples(s, replace, table, Sheet.batch(1));
    tuples(s, replace, table, Sheet.batch(20, 2));
    tuples(s, Op.ScatterKind.ADD, table, Sheet.batch(40, 3));
    tuples(s, replace, table, Sheet.dims(0, 3));
    tuples(s, replace, table, Sheet.dims(2));
    tuples(s, Op.ScatterKind.MUL, s.constant(6, 200), Sheet.batch(1));
    tuples(s, replace, s.at("t").transpose(table, List.of(2, 0, 1)), Sheet.batch(2));
    for (ElementType type : List.of(ElementType.F16, ElementType.I8, ElementType.U64)) {
      Value y = s.input(Data.NORMAL, type, Sheet.batch(7));
      elements(s, Op.ScatterKind.ADD, 1, y, Sheet.batch(30));
      elements(s, Op.ScatterKind.MAX, 1, y, Sheet.batch(3));
    }
    Value flags = s.input(Data.NORMAL, ElementType.BOOL, Sheet.batch(7));
    elements(s, replace, 1, flags, Sheet.batch(9));
    Value doubled = s.at("d").elementwise(add(arg(0), arg(0)), x);
    elements(s, replace, 2, doubled, Sheet.batch(5, 2));
    return s;
  }

  /* So many that a GPU's tuples claim their places first. */
  private static Sheet manyUpdates() {
    Sheet s = new Sheet("many updates", 12);
    Op.ScatterKind replace = Op.ScatterKind.REPLACE;
    Value x = s.input(Sheet.batch(5, 6));
    Value table = s.input(Sheet.dims(6, 4, 5));
    elements(s, replace, 1, x, Sheet.batch(300, 4));
    elements(s, replace, 2, x, Sheet.batch(3, 200));
    elements(s, replace, 0, s.input(Sheet.dims(9, 7)), Sheet.batch(7));
    tuples(s, replace, table, Sheet.batch(200, 2));
    tuples(s, replace, table, Sheet.batch(210, 3));
    tuples(s, replace, table, Sheet.dims(250, 1));
    tuples(s, replace, s.at("t").transpose(table, List.of(2, 0, 1)), Sheet.batch(193, 2));
    Value bytes = s.input(Data.NORMAL, ElementType.I8, Sheet.dims(500, 3));
    tuples(s, replace, bytes, Sheet.dims(300, 1));
    return s;
  }

  private static void elements(
      Sheet s, Op.ScatterKind kind, int axis, Value data, List<Affine> shape) {
    Value at = indices(s, data, axis, shape, ElementType.I64);
    update(s, new Op.Scatter(new Selection.Elements(axis), kind), data, at, shape);
  }

  private static void tuples(Sheet s, Op.ScatterKind kind, Value data, List<Affine> shape) {
    int length = (int) shape.getLast().asConstant();
    Value at = indices(s, data, shortest(data, 0, length), shape, ElementType.I32);
    List<Affine> moved = new ArrayList<>(shape.subList(0, shape.size() - 1));
    moved.addAll(data.type().shape().subList(length, data.type().rank()));
    update(s, new Op.Scatter(new Selection.Tuples(0), kind), data, at, moved);
  }

  private static void update(Sheet s, Op op, Value data, Value at, List<Affine> shape) {
    Value updates = s.input(Data.NORMAL, data.type().element(), shape);
    String label = op + " of " + data.type() + " by " + at.type();
    s.check(label, s.at(label).op(op, data, at, updates), 0);
  }

  private static void picked(Sheet s, String label, int axis, Value data, List<Affine> shape) {
    Value at = indices(s, data, axis, shape, ElementType.I64);
    s.check(label, s.at(label).gather(new Selection.Elements(axis), data, at));
  }

  /* The shortest axis that is indexed bounds all components. */
  private static void named(Sheet s, String label, int batchDims, Value data, List<Affine> shape) {
    int length = (int) shape.getLast().asConstant();
    Value at = indices(s, data, shortest(data, batchDims, length), shape, ElementType.I32);
    s.check(label, s.at(label).gather(new Selection.Tuples(batchDims), data, at));
  }

  private static int shortest(Value data, int first, int count) {
    int shortest = first;
    for (int axis = first + 1; axis < first + count; axis++) {
      long size = data.type().dim(axis).asConstant();
      shortest = size < data.type().dim(shortest).asConstant() ? axis : shortest;
    }
    return shortest;
  }

  /* Good indices, of both signs, and at every third batch size from the start alone: kernels tell
  rows of such from others. */
  private static Value indices(
      Sheet s, Value data, int axis, List<Affine> shape, ElementType type) {
    int size = (int) data.type().dim(axis).asConstant();
    TensorType full = new TensorType(type, shape);
    long seed = s.random().nextLong();
    return s.input(
        full,
        n -> {
          Random random = new Random(seed);
          Tensor tensor = Data.NORMAL.fill(random, type, full.shapeAt(n));
          var view = io.miniinference.interp.memory.TensorView.of(tensor);
          int low = n % 3 == 0 ? 0 : -size;
          long[] picks = random.longs(tensor.elements(), low, size).toArray();
          for (int i = 0; i < picks.length; i++) {
            view.wholeAt(i, picks[i]);
          }
          return tensor;
        });
  }
}
