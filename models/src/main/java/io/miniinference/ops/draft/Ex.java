package io.miniinference.ops.draft;

import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.extent;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;

/// Phrases that the op table's expressions share.
public final class Ex {
  private Ex() {}

  /// Operand 0.
  public static Expr x() {
    return arg(0);
  }

  /// A size as an `I64`.
  public static Expr size(Affine value) {
    return value.isConstant() ? const_(value.constant()) : extent(value);
  }

  /// `low ≤ x < high`.
  public static Expr within(Expr x, Expr low, Expr high) {
    return and(ge(x, low), lt(x, high));
  }

  /// The output index itself, axis by axis.
  public static List<Expr> here(int rank) {
    var coordinates = new ArrayList<Expr>();
    for (int axis = 0; axis < rank; axis++) {
      coordinates.add(index(axis));
    }
    return coordinates;
  }

  /// `x` in type `to`.
  public static Expr as(ElementType from, ElementType to, Expr x) {
    return from == to ? x : cast(to, x);
  }

  /// Whether a size in the expression depends on the batch symbol.
  static boolean mentionsBatch(Expr expr) {
    return (expr instanceof Expr.Extent extent && !extent.value().isConstant())
        || ExprTree.children(expr).stream().anyMatch(Ex::mentionsBatch);
  }
}
