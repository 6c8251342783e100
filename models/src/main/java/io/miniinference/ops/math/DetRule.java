package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;

/// Det: the determinants of matrices `[…, n, n]`, by elimination with the largest element of a
/// column as the pivot ([ONNX Det](https://onnx.ai/onnx/operators/onnx__Det.html)). Each step
/// leaves matrices of a row and a column less.
final class DetRule {
  /// Most rows: each is a few nodes.
  private static final long MOST_ROWS = 64;

  private final OpContext c;
  private final ElementType type;

  /// Axes ahead of those of a matrix.
  private final int batch;

  private final long rows;

  DetRule(OpContext c) {
    this.c = c;
    type = c.element(0);
    if (!type.isFloat()) {
      throw c.unsupported("determinants of " + type);
    }
    c.requireRank(0, 2);
    batch = c.rank(0) - 2;
    List<Affine> matrix = c.type(0).shape().subList(batch, batch + 2);
    if (!matrix.getFirst().equals(matrix.getLast()) || !matrix.getFirst().isConstant()) {
      throw LoweringFault.of("takes square matrices, not " + c.type(0));
    }
    rows = matrix.getFirst().constant();
    if (rows > MOST_ROWS) {
      throw LoweringFault.of("takes matrices of up to %d rows, not %d".formatted(MOST_ROWS, rows));
    }
  }

  Value lower() {
    Value product = c.fill(const_(type, 1.0), ahead());
    Value rest = c.in(0);
    for (long size = rows; size > 0; size--) {
      Value pivot = pivot(rest, size);
      product = multiplied(product, rest, pivot);
      rest = size == 1 ? rest : eliminated(rest, pivot, size - 1);
    }
    return product;
  }

  private List<Affine> ahead() {
    return c.type(0).shape().subList(0, batch);
  }

  private List<Affine> with(long... sizes) {
    List<Affine> shape = new ArrayList<>(ahead());
    for (long size : sizes) {
      shape.add(Affine.of(size));
    }
    return shape;
  }

  /* The row whose first element is the largest, `[…]`. */
  private Value pivot(Value rest, long size) {
    Value column = c.reshape(c.slice(rest, batch + 1, Affine.ZERO, Affine.ONE), with(size));
    return c.reduce(ReduceKind.ARG_MAX, List.of(batch), false, abs(Ex.x()), column);
  }

  /* By the pivot; rows that change places change the sign. */
  private Value multiplied(Value product, Value rest, Value pivot) {
    Expr element = element(1, arg(2), const_(0));
    Expr signed = select(eq(arg(2), const_(0)), element, neg(element));
    return c.compute(mul(arg(0), signed), ahead(), product, rest, pivot);
  }

  /* Less the pivot's row and column. Where the pivot is 0, so is the product, whatever is left. */
  private Value eliminated(Value rest, Value pivot, long size) {
    Value row = c.reshape(pivot, with(1, 1));
    Expr own = add(index(batch), const_(1));
    Expr from = select(eq(own, arg(1)), const_(0), own);
    Expr place = add(index(batch + 1), const_(1));
    Expr first = element(0, arg(1), const_(0));
    Expr factor =
        select(
            eq(first, const_(type, 0.0)),
            const_(type, 0.0),
            div(element(0, from, const_(0)), first));
    Expr less = sub(element(0, from, place), mul(factor, element(0, arg(1), place)));
    return c.compute(less, with(size, size), rest, row);
  }

  private Expr element(int operand, Expr row, Expr column) {
    List<Expr> coordinates = Ex.here(batch);
    coordinates.add(row);
    coordinates.add(column);
    return at(operand, coordinates);
  }
}
