package io.miniinference.ops.contrib;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.le;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.ActivationOps;
import io.miniinference.ops.nn.Heads;
import io.miniinference.ops.node.OpContext;
import java.util.List;
import java.util.Optional;

/// Softmax of the scaled products of queries and keys, times the values: as
/// [io.miniinference.ops.nn.AttentionRule], but what a mask hides gets a finite summand, so that a
/// row that is hidden as a whole is computed as if it were not.
///
/// @param queries `[batch, heads, length, size]`, as `keys` and `values`
record MaskedAttention(OpContext c, Value queries, Value keys, Value values) {

  /// @param mask the input that says which keys are hidden
  /// @param bias the input that is added to the scores
  /// @return `[batch, length, heads · size]`
  Value run(int mask, int bias) {
    ElementType type = queries.type().element();
    Value scores = Heads.product(c, queries, keys, true);
    scores = c.map(mul(Ex.x(), const_(type, scale())), scores);
    Optional<Value> summand = summand(mask, type);
    if (summand.isPresent()) {
      scores = sum(scores, summand.get());
    }
    if (c.has(bias)) {
      scores = sum(scores, c.in(bias));
    }
    Value weights = softmax(scores, type);
    return Heads.merged(c, Heads.product(c, weights, values, false));
  }

  private Value softmax(Value scores, ElementType type) {
    ElementType wide = type == ElementType.F64 ? type : ElementType.F32;
    return c.cast(ActivationOps.softmax(c, c.cast(scores, wide), 3), type);
  }

  private double scale() {
    double size = Math.max(1, queries.type().dim(3).asConstant());
    return c.attrFloat("scale") == 0 ? 1 / Math.sqrt(size) : c.attrFloat("scale");
  }

  private Value sum(Value scores, Value summand) {
    return c.plus(scores, summand);
  }

  /// What hides keys from queries, if anything does.
  private Optional<Value> summand(int mask, ElementType type) {
    boolean causal = c.attrBool("unidirectional");
    if (!c.has(mask) && !causal) {
      return Optional.empty();
    }
    Affine batch = queries.type().dim(0);
    Affine rows = queries.type().dim(2);
    Affine columns = keys.type().dim(2);
    Expr none = const_(type, 0.0);
    Expr hidden = const_(type, c.attrFloat("mask_filter_value"));
    Expr element = c.has(mask) ? select(visible(mask), none, hidden) : none;
    if (causal) {
      Expr last = add(index(2), Ex.size(columns.minus(rows)));
      element = select(le(index(3), last), element, const_(type, lowest(type)));
    }
    boolean perRow = causal || (c.has(mask) && c.rank(mask) == 3);
    List<Affine> shape =
        List.of(c.has(mask) ? batch : Affine.ONE, Affine.ONE, perRow ? rows : Affine.ONE, columns);
    Value[] operands = c.has(mask) ? new Value[] {c.in(mask)} : new Value[0];
    return Optional.of(c.compute(element, shape, operands));
  }

  private static double lowest(ElementType type) {
    return type == ElementType.F16 ? -65504 : -Float.MAX_VALUE;
  }

  /// Whether the mask shows a key: by a number for each, or by the places between which keys are.
  private Expr visible(int mask) {
    Affine batch = queries.type().dim(0);
    TensorType type = c.type(mask);
    List<Affine> shape = type.shape();
    if (!type.element().isInteger()) {
      throw LoweringFault.of("input %d must be of integers, is %s".formatted(mask, type));
    }
    if (shape.equals(List.of(batch))) {
      return lt(index(3), place(index(0)));
    }
    if (shape.equals(List.of(batch.times(2)))) {
      Expr first = place(add(index(0), Ex.size(batch)));
      return and(lt(index(3), place(index(0))), ge(index(3), first));
    }
    Affine columns = keys.type().dim(2);
    if (shape.equals(List.of(batch, columns))) {
      return shown(type, at(0, index(0), index(3)));
    }
    if (shape.equals(List.of(batch, queries.type().dim(2), columns))) {
      return shown(type, at(0, index(0), index(2), index(3)));
    }
    throw LoweringFault.of(
        "has a mask %s for %s and %s; it is [batch], [2·batch], [batch, keys] or [batch, queries,"
                .formatted(type, queries.type(), keys.type())
            + " keys]");
  }

  private static Expr place(Expr entry) {
    return cast(ElementType.I64, at(0, entry));
  }

  private static Expr shown(TensorType type, Expr number) {
    return gt(number, const_(type.element(), 0));
  }
}
