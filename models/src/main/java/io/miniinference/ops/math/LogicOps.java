package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.binary;
import static io.miniinference.ir.Exprs.bool;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.isInf;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.Map;

/// Comparisons, truth values, bits, and choice by condition.
public final class LogicOps {
  private static final Map<String, BinaryOp> SINCE_1 =
      Map.of(
          "And", BinaryOp.AND,
          "Or", BinaryOp.OR,
          "Xor", BinaryOp.XOR,
          "Equal", BinaryOp.EQ,
          "Less", BinaryOp.LT,
          "Greater", BinaryOp.GT);

  private static final Map<String, BinaryOp> LATER =
      Map.of(
          "LessOrEqual", BinaryOp.LE,
          "GreaterOrEqual", BinaryOp.GE,
          "BitwiseAnd", BinaryOp.BIT_AND,
          "BitwiseOr", BinaryOp.BIT_OR,
          "BitwiseXor", BinaryOp.BIT_XOR);

  private LogicOps() {}

  public static void addTo(OpTable table) {
    SINCE_1.forEach((name, op) -> MathOps.pairwise(table, name, op));
    LATER.forEach((name, op) -> table.row(name, 7, "2", "", c -> MathOps.pairwise(c, op)));
    table
        .row("BitShift", 11, "2", "direction", LogicOps::shift)
        .row("IsInf", 10, "1", "detect_negative=1 detect_positive=1", LogicOps::isInfinite)
        .row("Where", 9, "3", "", c -> c.map(select(arg(0), arg(1), arg(2)), c.all()));
  }

  /// A signed number shifted right by its width or more is all sign.
  private static Value shift(OpContext c) {
    boolean left = c.attrOneOf("direction", "LEFT", "RIGHT").equals("LEFT");
    ElementType type = c.element(0);
    if (left || type.kind() == ElementType.Kind.UNSIGNED) {
      return MathOps.pairwise(c, left ? BinaryOp.SHIFT_LEFT : BinaryOp.SHIFT_RIGHT);
    }
    Expr width = const_(type, 8L * type.bytes());
    Expr most = const_(type, 8L * type.bytes() - 1);
    Expr distance = select(Ex.within(arg(1), const_(type, 0L), width), arg(1), most);
    return c.map(binary(BinaryOp.SHIFT_RIGHT, arg(0), distance), c.in(0), c.in(1));
  }

  private static Value isInfinite(OpContext c) {
    boolean negative = c.attrBool("detect_negative");
    boolean positive = c.attrBool("detect_positive");
    ElementType type = c.element(0);
    Expr zero = const_(type, 0.0);
    Expr sign = positive ? gt(Ex.x(), zero) : lt(Ex.x(), zero);
    Expr found = positive && negative ? isInf(Ex.x()) : and(isInf(Ex.x()), sign);
    return c.map(positive || negative ? found : and(isInf(Ex.x()), bool(false)), c.in(0));
  }
}
