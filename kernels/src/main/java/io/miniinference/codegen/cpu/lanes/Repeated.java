package io.miniinference.codegen.cpu.lanes;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Which parts of an expression its text would hold more than once and are worth a constant of
/// their own: those that call a function that takes many instructions, and those whose text holds
/// others more than once, since a chain of them would grow without bounds.
final class Repeated {
  private final Map<Expr, Integer> uses = new HashMap<>();

  private Repeated() {}

  static Set<Expr> in(Expr whole) {
    Repeated parts = new Repeated();
    parts.count(whole, 1);
    Set<Expr> repeated = new HashSet<>();
    parts.uses.forEach((part, count) -> {
      if (count > 1 && isCostly(part)) {
        repeated.add(part);
      }
    });
    return repeated;
  }

  private void count(Expr part, int times) {
    if (uses.merge(part, times, Integer::sum) == times) {
      ExprTree.children(part).forEach(child -> count(child, textsOf(part)));
    }
  }

  /* How often the text of an operand stands in that of the expression. */
  private static int textsOf(Expr expr) {
    boolean compares =
        expr instanceof Expr.Binary(var op, _, _)
            && (op == Expr.BinaryOp.MIN || op == Expr.BinaryOp.MAX);
    return compares ? 2 : 1;
  }

  private static boolean isCostly(Expr expr) {
    boolean itself =
        expr instanceof Expr.Binary(var op, _, _)
            && (op == Expr.BinaryOp.MIN || op == Expr.BinaryOp.MAX);
    return itself
        || Functions.isOne(expr)
        || ExprTree.children(expr).stream().anyMatch(Repeated::isCostly);
  }
}
