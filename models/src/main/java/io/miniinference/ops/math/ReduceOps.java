package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.exp;
import static io.miniinference.ir.Exprs.isInf;
import static io.miniinference.ir.Exprs.log;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sqrt;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.PlannedSizes;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Reductions over axes: a map before, a combination, a map after.
public final class ReduceOps {
  private static final Expr X = Ex.x();
  private static final UnaryOperator<Expr> SAME = UnaryOperator.identity();

  private ReduceOps() {}

  /// What a reduction does with a value over given axes.
  private interface Body {
    Value reduce(OpContext c, List<Integer> axes, boolean keep);
  }

  public static void addTo(OpTable table) {
    reduction(table, "ReduceSum", 13, ReduceOps::sum);
    reduction(table, "ReduceSumSquare", 18, (c, a, k) -> mapped(c, a, k, mul(X, X), SAME));
    reduction(table, "ReduceL1", 18, (c, a, k) -> mapped(c, a, k, abs(X), SAME));
    reduction(
        table, "ReduceL2", 18, (c, a, k) -> mapped(c, a, k, mul(X, X), real(c, x -> sqrt(x))));
    reduction(table, "ReduceLogSum", 18, (c, a, k) -> mapped(c, a, k, X, real(c, x -> log(x))));
    reduction(table, "ReduceLogSumExp", 18, ReduceOps::logSumExp);
    reduction(table, "ReduceMean", 18, (c, a, k) -> mean(c, c.in(0), a, k));
    reduction(table, "ReduceMax", 18, (c, a, k) -> reduced(c, ReduceKind.MAX, a, k));
    reduction(table, "ReduceMin", 18, (c, a, k) -> reduced(c, ReduceKind.MIN, a, k));
    reduction(table, "ReduceProd", 18, (c, a, k) -> reduced(c, ReduceKind.PRODUCT, a, k));
    String attributes = "axis=0 keepdims=1 select_last_index=0";
    table
        .joining()
        .row(
            "ArgMax",
            1,
            "1",
            attributes,
            c -> argument(c, ReduceKind.ARG_MAX, ReduceKind.ARG_MAX_LAST))
        .row(
            "ArgMin",
            1,
            "1",
            attributes,
            c -> argument(c, ReduceKind.ARG_MIN, ReduceKind.ARG_MIN_LAST));
  }

  /// Two rows: axes as an attribute, and from some version on as an input.
  private static void reduction(OpTable table, String name, int axesAreInput, Body body) {
    String input = "keepdims=1 noop_with_empty_axes=0";
    table
        .joining()
        .row(name, 1, "1", "axes keepdims=1", c -> fromAttribute(c, body))
        .row(name, axesAreInput, "1-2", input, c -> fromInput(c, body));
  }

  private static Value fromAttribute(OpContext c, Body body) {
    long[] given = c.attrInts("axes");
    List<Integer> axes = given.length == 0 ? all(c) : OpContext.axes(given, c.rank(0));
    return body.reduce(c, axes, c.attrBool("keepdims"));
  }

  private static List<Integer> all(OpContext c) {
    return IntStream.range(0, c.rank(0)).boxed().toList();
  }

  private static Value fromInput(OpContext c, Body body) {
    long[] given = c.has(1) ? c.ints(1) : new long[0];
    List<Integer> axes = OpContext.axes(given, c.rank(0));
    if (given.length == 0 && !c.attrBool("noop_with_empty_axes")) {
      axes = all(c);
    }
    return body.reduce(c, axes, c.attrBool("keepdims"));
  }

  private static Value reduced(OpContext c, ReduceKind kind, List<Integer> axes, boolean keep) {
    Expr neutral = Neutral.of(kind, c.element(0));
    return c.reduce(kind, axes, keep, X, c.joined(c.in(0), axes, neutral));
  }

  /* The sum of a mask is how many elements the mask chooses, and may be a size: today's exporter of
  PyTorch repeats what `x[mask] = values` stores to as many. */
  private static Value sum(OpContext c, List<Integer> axes, boolean keep) {
    Value sum = mapped(c, axes, keep, X, SAME);
    if (axes.size() == c.rank(0)) {
      c.facts()
          .chosen()
          .counted(c.in(0))
          .flatMap(places -> PlannedSizes.ofRows(c.facts(), places))
          .ifPresent(size -> c.facts().plan(sum, size));
    }
    return sum;
  }

  /* A map before leaves 0 what it is. */
  private static Value mapped(
      OpContext c, List<Integer> axes, boolean keep, Expr before, UnaryOperator<Expr> after) {
    Value x = c.joined(c.in(0), axes, Neutral.of(ReduceKind.SUM, c.element(0)));
    Value sum = axes.isEmpty() ? c.map(before, x) : c.reduce(ReduceKind.SUM, axes, keep, before, x);
    Expr map = after.apply(X);
    return map.equals(X) ? sum : c.map(map, sum);
  }

  /* A function of floats that the standard has for integers, too: what lies behind the point of its
  result is left out. */
  private static UnaryOperator<Expr> real(OpContext c, UnaryOperator<Expr> function) {
    ElementType type = c.element(0);
    return type.isFloat() ? function : x -> cast(type, function.apply(cast(ElementType.F64, x)));
  }

  private static Value logSumExp(OpContext c, List<Integer> axes, boolean keep) {
    ElementType type = c.element(0);
    return type.isFloat()
        ? logSumExp(c, c.in(0), axes, keep)
        : c.cast(logSumExp(c, c.cast(c.in(0), ElementType.F64), axes, keep), type);
  }

  /// `max + log Σ exp(x − max)`; an infinite maximum is not subtracted.
  private static Value logSumExp(Emitter c, Value of, List<Integer> axes, boolean keep) {
    ElementType type = of.type().element();
    Value x = c.joined(of, axes, Neutral.of(ReduceKind.MAX, type));
    Value largest = c.reduce(ReduceKind.MAX, axes, true, X, x);
    Value shift = c.map(select(isInf(X), const_(type, 0.0), X), largest);
    Value shifted = c.map(exp(sub(arg(0), arg(1))), x, shift);
    Value sum = c.reduce(ReduceKind.SUM, axes, true, X, shifted);
    Value result = c.map(add(log(arg(0)), arg(1)), sum, shift);
    return keep ? result : c.reshape(result, dropped(result.type().shape(), axes));
  }

  private static List<Affine> dropped(List<Affine> shape, List<Integer> axes) {
    return IntStream.range(0, shape.size())
        .filter(axis -> !axes.contains(axis))
        .mapToObj(shape::get)
        .toList();
  }

  /// The mean; half types are summed and divided in 32 bits, so that the sum cannot overflow.
  public static Value mean(Emitter c, Value x, List<Integer> axes, boolean keep) {
    ElementType type = x.type().element();
    boolean half = type == ElementType.F16 || type == ElementType.BF16;
    ElementType wide = half ? ElementType.F32 : type;
    Value all = c.joined(x, axes, Neutral.of(ReduceKind.SUM, type));
    Value sum = c.reduce(ReduceKind.SUM, axes, keep, Ex.as(type, wide, X), all);
    Optional<CountedAxis> counted = c.facts().counted(x).filter(it -> axes.contains(it.axis()));
    Affine count =
        axes.stream()
            .filter(axis -> counted.filter(it -> it.axis() == axis).isEmpty())
            .map(axis -> x.type().dim(axis))
            .reduce(Affine.ONE, Affine::times);
    Expr divisor =
        count.isConstant() ? const_(wide, (double) count.constant()) : cast(wide, Ex.size(count));
    if (counted.isEmpty()) {
      return c.map(Ex.as(wide, type, div(X, divisor)), sum);
    }
    Expr places = mul(divisor, cast(wide, arg(1)));
    return c.map(Ex.as(wide, type, div(X, places)), sum, counted.get().count());
  }

  private static Value argument(OpContext c, ReduceKind first, ReduceKind last) {
    ReduceKind kind = c.attrBool("select_last_index") ? last : first;
    List<Integer> axes = List.of(c.attrAxis("axis", c.rank(0)));
    Value x = c.in(0);
    if (kind == first) { // filler is no better than anything, and comes last
      x = c.joined(x, axes, Neutral.of(kind, c.element(0)));
    }
    return c.reduce(kind, axes, c.attrBool("keepdims"), X, x);
  }
}
