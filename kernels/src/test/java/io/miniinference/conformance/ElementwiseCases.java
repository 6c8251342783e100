package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.exp;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.not;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.Unary;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.ExprType;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/// Every function of every element type over the edges of its range. All functions with one type of
/// result are one kernel, whose output has a row for each.
final class ElementwiseCases {
  private static final int VALUES = 40;

  private ElementwiseCases() {}

  static List<Sheet> sheets() {
    return Arrays.stream(ElementType.values()).map(ElementwiseCases::functions).toList();
  }

  private static Sheet functions(ElementType type) {
    Sheet sheet = new Sheet("functions of " + type, type.ordinal()).batches(1L);
    Value a = sheet.input(Data.EDGES, type, Sheet.dims(VALUES, 1));
    Value b = sheet.input(Data.EDGES, type, Sheet.dims(VALUES));
    Value c = sheet.input(Data.UNIT, type, Sheet.dims(VALUES));
    List<UnaryOp> unary = new ArrayList<>(List.of(UnaryOp.values()));
    unary.removeIf(op -> !fits(new Unary(op, arg(0)), type));
    List<UnaryOp> tests = unary.stream().filter(op -> isTest(op, type)).toList();
    unary.removeAll(tests);
    List<UnaryOp> bits = unary.stream().filter(op -> changes(op, type)).toList();
    unary.removeAll(bits);
    one(sheet, bits, List.of(c), op -> new Unary(op, arg(0)), "bits");
    one(sheet, unary, List.of(b), op -> new Unary(op, arg(0)), "edges");
    one(sheet, unary, List.of(c), op -> new Unary(op, arg(0)), "numbers");
    one(sheet, tests, List.of(b), op -> new Unary(op, arg(0)), "tests");
    List<BinaryOp> binary = new ArrayList<>(List.of(BinaryOp.values()));
    binary.removeIf(op -> !fits(new Binary(op, arg(0), arg(1)), type));
    List<BinaryOp> comparisons =
        binary.stream().filter(op -> op.isComparison() || type == ElementType.BOOL).toList();
    binary.removeAll(comparisons);
    one(sheet, binary, List.of(a, b), op -> binary(op, type), "pairs");
    one(sheet, comparisons, List.of(a, b), op -> binary(op, type), "comparisons");
    return sheet;
  }

  private static boolean fits(Expr expr, ElementType type) {
    try {
      return ExprType.of(expr, List.of(type, type)) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isTest(UnaryOp op, ElementType type) {
    return type != ElementType.BOOL
        && ExprType.of(new Unary(op, arg(0)), List.of(type)) == ElementType.BOOL;
  }

  private static boolean changes(UnaryOp op, ElementType type) {
    return ExprType.of(new Unary(op, arg(0)), List.of(type)) != type;
  }

  /* Division of integers by zero is a failure of the request, not a value. */
  private static Expr binary(BinaryOp op, ElementType type) {
    boolean divides = op == BinaryOp.DIV || op == BinaryOp.REM || op == BinaryOp.MOD;
    Expr divisor =
        divides && type.isInteger()
            ? select(eq(arg(1), const_(type, 0L)), const_(type, 3L), arg(1))
            : arg(1);
    return new Binary(op, arg(0), divisor);
  }

  private interface Rule<T> {
    Expr of(T op);
  }

  private static <T> void one(
      Sheet sheet, List<T> ops, List<Value> operands, Rule<T> rule, String label) {
    if (ops.isEmpty()) {
      return;
    }
    Expr chosen = rows(ops.stream().map(rule::of).toList());
    long[] shape = new long[operands.size() + 1];
    Arrays.fill(shape, VALUES);
    shape[0] = ops.size();
    Value all = sheet.at(label).elementwise(chosen, Sheet.dims(shape), operands);
    sheet.check(label + " " + ops, all);
  }

  /// The `k`-th expression in row `k`.
  static Expr rows(List<Expr> rows) {
    Expr result = rows.getLast();
    for (int k = rows.size() - 2; k >= 0; k--) {
      result = select(eq(index(0), const_(k)), rows.get(k), result);
    }
    return result;
  }

  /// Floats that lie one after another, as many as do not fill the last vector of sixteen.
  static List<Sheet> runs() {
    return List.of(functionsInRuns(), typesInRuns(), shapesOfRuns());
  }

  private static Sheet functionsInRuns() {
    Sheet sheet = new Sheet("functions in runs", 97).batches(2L);
    Value a = sheet.input(Data.EDGES, ElementType.F32, Sheet.batch(37));
    Value b = sheet.input(Data.EDGES, ElementType.F32, Sheet.batch(37));
    EpilogueCases.functions(arg(0), arg(1), ElementType.F32)
        .forEach((name, expr) -> {
          Value[] operands = expr instanceof Unary ? new Value[] {a} : new Value[] {a, b};
          sheet.check(name, sheet.at(name).elementwise(expr, operands));
        });
    for (ElementType type :
        List.of(ElementType.U8, ElementType.I8, ElementType.U16, ElementType.I16)) {
      Expr there = cast(type, mul(arg(0), arg(1)));
      Expr back = mul(cast(ElementType.F32, there), const_(ElementType.F32, 0.25));
      sheet.check("through " + type, sheet.at("through").elementwise(back, a, b));
      Value x = sheet.input(Data.NORMAL, ElementType.F32, Sheet.batch(37));
      sheet.check("near 0 through " + type, sheet.at("near").elementwise(back, x, x));
    }
    return sheet;
  }

  /* Arrays of other types than floats, read and written. */
  private static Sheet typesInRuns() {
    Sheet sheet = new Sheet("types in runs", 99).batches(2L);
    Value floats = sheet.input(Data.EDGES, ElementType.F32, Sheet.batch(37));
    Value small = sheet.input(Data.NORMAL, ElementType.F32, Sheet.batch(37));
    for (ElementType type :
        List.of(
            ElementType.U8, ElementType.I8, ElementType.U16, ElementType.I16, ElementType.I32)) {
      sheet.check("to " + type, sheet.at("to").elementwise(cast(type, arg(0)), floats));
      sheet.check("small to " + type, sheet.at("to").elementwise(cast(type, arg(0)), small));
      Value a = sheet.input(Data.EDGES, type, Sheet.batch(37));
      Value number = sheet.input(Data.NORMAL, type, Sheet.batch(1));
      Expr product = mul(cast(ElementType.F32, arg(0)), arg(1));
      sheet.check("from " + type, sheet.at("from").elementwise(product, a, small));
      Expr seven = cast(ElementType.F32, const_(type, 7L));
      Expr shifted = mul(sub(cast(ElementType.F32, arg(0)), seven), arg(1));
      sheet.check("less 7 of " + type, sheet.at("seven").elementwise(shifted, a, small));
      Expr difference = sub(cast(ElementType.I32, arg(0)), cast(ElementType.I32, arg(1)));
      Expr scaled = mul(cast(ElementType.F32, difference), arg(2));
      sheet.check("less one of " + type, sheet.at("less").elementwise(scaled, a, number, small));
      sheet.check("integers of " + type, sheet.at("less").elementwise(difference, a, number));
    }
    Value truths = sheet.input(Data.EDGES, ElementType.BOOL, Sheet.batch(37));
    Value one = sheet.input(Data.EDGES, ElementType.BOOL, Sheet.batch(1));
    Expr chosen = select(and(arg(0), not(arg(1))), arg(2), arg(3));
    sheet.check("by truths", sheet.at("if").elementwise(chosen, truths, one, floats, small));
    Expr test = and(arg(0), lt(arg(1), arg(2)));
    sheet.check("truths", sheet.at("test").elementwise(test, truths, floats, small));
    return sheet;
  }

  private static Sheet shapesOfRuns() {
    Sheet sheet = new Sheet("shapes of runs", 98);
    Expr expr = mul(arg(0), exp(arg(1)));
    Value image = sheet.input(Sheet.batch(5, 7, 7));
    both(sheet, "of one shape", expr, image, sheet.input(Sheet.batch(5, 7, 7)));
    both(sheet, "per channel", expr, image, sheet.constant(5, 1, 1));
    both(sheet, "per row of pixels", expr, image, sheet.constant(7, 1));
    both(sheet, "per image", expr, image, sheet.input(Sheet.batch(1, 1, 1)));
    both(sheet, "a number", expr, image, sheet.constant());
    both(sheet, "one image for all", expr, image, sheet.constant(5, 7, 7));
    Value turned = sheet.at("t").transpose(sheet.input(Sheet.batch(7, 7, 5)), List.of(0, 3, 1, 2));
    both(sheet, "turned", expr, image, turned);
    both(sheet, "both turned", expr, turned, sheet.at("n").elementwise(neg(arg(0)), turned));
    Value rows = sheet.input(Sheet.batch(3, 33));
    both(sheet, "along the last axis", expr, rows, sheet.constant(33));
    both(sheet, "an outer product", expr, sheet.constant(21, 1), sheet.constant(19));
    Value wide = sheet.input(Sheet.batch(4, 50));
    Value part = sheet.at("p").slice(wide, 2, Affine.of(3), Affine.of(40));
    both(sheet, "a part of rows", expr, part, sheet.constant(40));
    List<Affine> start = List.of(Affine.ZERO, Affine.ZERO, Affine.ONE);
    Value every = sheet.at("q").slice(wide, start, List.of(1L, 1L, 2L), Sheet.batch(4, 24));
    both(sheet, "every other element", expr, every, sheet.constant(24));
    both(sheet, "more than one item", expr, sheet.input(Sheet.dims(9001)), sheet.constant(1));
    both(sheet, "long rows", expr, sheet.input(Sheet.batch(2, 4115)), sheet.constant(2, 1));
    both(sheet, "none", expr, sheet.input(Sheet.batch(0, 17)), sheet.constant(17));
    return sheet;
  }

  private static void both(Sheet sheet, String label, Expr expr, Value a, Value b) {
    sheet.check(label, sheet.at(label).elementwise(expr, a, b));
    sheet.check(label + ", exchanged", sheet.at(label).elementwise(expr, b, a));
  }

  static Sheet casts() {
    Sheet sheet = new Sheet("casts", 99).batches(1L);
    List<Value> operands = new ArrayList<>();
    List<ElementType> types = List.of(ElementType.values());
    for (ElementType type : types) {
      operands.add(sheet.input(Data.EDGES, type, Sheet.dims(VALUES)));
    }
    for (ElementType to : types) {
      List<Expr> rows = new ArrayList<>();
      UnaryOperator<Expr> convert = x -> cast(to, x);
      for (int k = 0; k < types.size(); k++) {
        rows.add(convert.apply(arg(k)));
      }
      Value all =
          sheet.at("to").elementwise(rows(rows), Sheet.dims(types.size(), VALUES), operands);
      sheet.check("to " + to + " from " + types, all, 0);
    }
    return sheet;
  }
}
