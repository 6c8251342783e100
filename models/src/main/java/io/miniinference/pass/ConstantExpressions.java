package io.miniinference.pass;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.ExprType;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.Optional;

/// Expressions of constants only, computed by the evaluator as a node of one element, so that
/// folding follows the rules of the interpreter.
final class ConstantExpressions {
  private final Evaluator evaluator;

  ConstantExpressions(Evaluator evaluator) {
    this.evaluator = evaluator;
  }

  /// What a part of an elementwise node's expression is if that is one number: a constant of the
  /// expression, or an operand that is a constant of one element.
  static Optional<Expr.Const> number(Graph graph, Node node, Expr part) {
    return switch (part) {
      case Expr.Const constant -> Optional.of(constant);
      case Expr.Arg(int k) ->
          Optional.ofNullable(graph.constants().get(node.inputs().get(k)))
              .filter(tensor -> tensor.elements() == 1)
              .map(tensor -> ElementBits.read(tensor, 0));
      default -> Optional.empty();
    };
  }

  /// The constant that `expr` is, or `expr` itself. Half types are not folded past their width:
  /// what their expressions hold between operations is wider.
  Expr fold(Expr expr) {
    if (expr instanceof Expr.Extent(Affine value) && value.isConstant()) {
      return Expr.Const.of(value.constant());
    }
    List<Expr> children = ExprTree.children(expr);
    if (children.isEmpty()
        || expr instanceof Expr.At
        || !children.stream().allMatch(child -> child instanceof Expr.Const)) {
      return expr;
    }
    ElementType type = ExprType.of(expr, List.of());
    return isHalf(type) && !(expr instanceof Expr.Cast) ? expr : compute(expr, type);
  }

  private Expr compute(Expr expr, ElementType type) {
    TensorType scalar = TensorType.of(type);
    Op op = new Op.Elementwise(expr, scalar);
    Node node = Node.of("constant", "Constant", op, List.of(), new Value("constant", scalar));
    return evaluator
        .evaluate(node, List.of())
        .map(results -> (Expr) ElementBits.read(results.getFirst(), 0))
        .orElse(expr);
  }

  static boolean isHalf(ElementType type) {
    return type == ElementType.F16 || type == ElementType.BF16;
  }
}
