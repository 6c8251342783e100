package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.binary;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.unary;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/// Arithmetic, element by element, and running sums.
public final class MathOps {
  /// Most operands of one node.
  private static final int MOST_OPERANDS = 64;

  private static final Map<String, UnaryOp> UNARY =
      Map.ofEntries(
          Map.entry("Abs", UnaryOp.ABS),
          Map.entry("Acos", UnaryOp.ACOS),
          Map.entry("Acosh", UnaryOp.ACOSH),
          Map.entry("Asin", UnaryOp.ASIN),
          Map.entry("Asinh", UnaryOp.ASINH),
          Map.entry("Atan", UnaryOp.ATAN),
          Map.entry("Atanh", UnaryOp.ATANH),
          Map.entry("Ceil", UnaryOp.CEIL),
          Map.entry("Cos", UnaryOp.COS),
          Map.entry("Cosh", UnaryOp.COSH),
          Map.entry("Erf", UnaryOp.ERF),
          Map.entry("Exp", UnaryOp.EXP),
          Map.entry("Floor", UnaryOp.FLOOR),
          Map.entry("Log", UnaryOp.LOG),
          Map.entry("Neg", UnaryOp.NEG),
          Map.entry("Reciprocal", UnaryOp.RECIPROCAL),
          Map.entry("Round", UnaryOp.ROUND),
          Map.entry("Sign", UnaryOp.SIGN),
          Map.entry("Sin", UnaryOp.SIN),
          Map.entry("Sinh", UnaryOp.SINH),
          Map.entry("Sqrt", UnaryOp.SQRT),
          Map.entry("Tan", UnaryOp.TAN),
          Map.entry("Tanh", UnaryOp.TANH),
          Map.entry("Not", UnaryOp.NOT),
          Map.entry("BitwiseNot", UnaryOp.BIT_NOT),
          Map.entry("IsNaN", UnaryOp.IS_NAN));

  private static final Map<String, BinaryOp> BINARY =
      Map.of(
          "Add", BinaryOp.ADD,
          "Sub", BinaryOp.SUB,
          "Mul", BinaryOp.MUL,
          "Div", BinaryOp.DIV);

  private MathOps() {}

  public static void addTo(OpTable table) {
    UNARY.forEach(
        (name, op) -> table.row(name, 1, "1", "", c -> c.map(unary(op, Ex.x()), c.in(0))));
    BINARY.forEach((name, op) -> pairwise(table, name, op));
    table
        .row("Pow", 1, "2", EarlyBroadcast.ATTRIBUTES, c -> pow(EarlyBroadcast.today(c)))
        .row("Pow", 7, "2", "", MathOps::pow)
        .row("Mod", 10, "2", "fmod=0", MathOps::mod)
        .row("Max", 1, "1-*", "", c -> variadic(c, Exprs::max))
        .row("Min", 1, "1-*", "", c -> variadic(c, Exprs::min))
        .row("Sum", 1, "1-*", "", c -> variadic(c, Exprs::add))
        .row("Mean", 1, "1-*", "", MathOps::mean)
        .row("CumSum", 11, "2", "exclusive=0 reverse=0", c -> scan(c, Op.ScanKind.SUM))
        .row("CumProd", 26, "2", "exclusive=0 reverse=0", c -> scan(c, Op.ScanKind.PRODUCT));
  }

  /// Adds an operator that there has been since opset 1, with that one's broadcasting before 7.
  static void pairwise(OpTable table, String name, BinaryOp op) {
    table
        .row(name, 1, "2", EarlyBroadcast.ATTRIBUTES, c -> pairwise(EarlyBroadcast.today(c), op))
        .row(name, 7, "2", "", c -> pairwise(c, op));
  }

  static Value pairwise(OpContext c, BinaryOp op) {
    return c.map(binary(op, arg(0), arg(1)), c.in(0), c.in(1));
  }

  /// The result has the base's type; the power is taken in a float type if either is a float.
  private static Value pow(OpContext c) {
    ElementType base = c.element(0);
    ElementType exponent = c.element(1);
    ElementType common = base.isFloat() || !exponent.isFloat() ? base : exponent;
    Optional<Expr> product =
        constantExponent(c).flatMap(it -> Powers.of(Ex.as(base, common, arg(0)), common, it));
    if (product.isPresent()) {
      return c.map(Ex.as(common, base, product.get()), c.in(0));
    }
    Expr power = Exprs.pow(Ex.as(base, common, arg(0)), Ex.as(exponent, common, arg(1)));
    return c.map(Ex.as(common, base, power), c.in(0), c.in(1));
  }

  /* That of all elements, where it does not add axes. */
  private static Optional<Double> constantExponent(OpContext c) {
    Tensor exponent = c.facts().tensor(c.in(1));
    return exponent == null || exponent.elements() != 1 || c.rank(1) > c.rank(0)
        ? Optional.empty()
        : Optional.of(ElementBits.read(exponent, 0).asDouble());
  }

  private static Value mod(OpContext c) {
    return pairwise(c, c.attrBool("fmod") ? BinaryOp.REM : BinaryOp.MOD);
  }

  /* The operands from the first to the last, some of them a node: an expression has a bounded depth,
  and so has a kernel a bounded number of arguments. */
  private static Value variadic(OpContext c, BinaryOperator<Expr> op) {
    List<Value> given = List.of(c.all());
    Value all = given.getFirst();
    for (int first = 1; first < given.size(); first += MOST_OPERANDS) {
      int last = Math.min(given.size(), first + MOST_OPERANDS);
      List<Value> operands = new ArrayList<>(List.of(all));
      operands.addAll(given.subList(first, last));
      all = c.map(folded(operands.size(), op), operands.toArray(Value[]::new));
    }
    return all;
  }

  private static Expr folded(int operands, BinaryOperator<Expr> op) {
    Expr all = Ex.x();
    for (int i = 1; i < operands; i++) {
      all = op.apply(all, arg(i));
    }
    return all;
  }

  private static Value mean(OpContext c) {
    Expr count = const_(c.element(0), (double) c.inputs());
    return c.inputs() <= MOST_OPERANDS
        ? c.map(div(folded(c.inputs(), Exprs::add), count), c.all())
        : c.map(div(Ex.x(), count), variadic(c, Exprs::add));
  }

  private static Value scan(OpContext c, Op.ScanKind kind) {
    int axis = OpContext.axis(c.int1(1), c.rank(0));
    return c.emit(new Op.Scan(kind, axis, c.attrBool("exclusive"), c.attrBool("reverse")), c.in(0));
  }
}
