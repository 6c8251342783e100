package io.miniinference.codegen.cpu.recurrent;

import static io.miniinference.ir.Exprs.const_;

import io.miniinference.codegen.Statements;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.recurrent.CellText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;

/// Activation functions of sixteen elements of a state: sigmoid and hyperbolic tangent, which
/// nearly all layers have, in a form of few operations, since they take as long as the products
/// otherwise.
record LaneFunctions() implements CellText.Spelling {
  private static final Expr ONE = const_(ElementType.F32, 1.0);

  @Override
  public String one() {
    return "@splat(16, 1.0f)";
  }

  @Override
  public String apply(Expr function, String name) {
    return switch (function) {
      case Expr.Unary(Expr.UnaryOp op, Expr x) when op == Expr.UnaryOp.TANH ->
          applied("gate_tanh_float16", x, name);
      case Expr.Unary(
              Expr.UnaryOp op,
              Expr.Binary(
                  Expr.BinaryOp sum,
                  Expr one,
                  Expr.Unary(Expr.UnaryOp power, Expr.Unary(Expr.UnaryOp sign, Expr x))))
          when op == Expr.UnaryOp.RECIPROCAL
              && sum == Expr.BinaryOp.ADD
              && one.equals(ONE)
              && power == Expr.UnaryOp.EXP
              && sign == Expr.UnaryOp.NEG ->
          applied("gate_sigmoid_float16", x, name);
      default -> applied("", function, name);
    };
  }

  private static String applied(String function, Expr x, String name) {
    VectorText.Written value = VectorText.write(x, _ -> "v");
    return Statements.of(value.statements(), name + " = " + function + "(" + value.value() + ");");
  }
}
