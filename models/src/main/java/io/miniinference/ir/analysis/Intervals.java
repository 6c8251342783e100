package io.miniinference.ir.analysis;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.ExprType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// What the integers of a graph can be, as far as types, constants and expressions tell.
public final class Intervals {
  private final Map<Value, Tensor> constants;
  private final Function<Tensor, Optional<Interval>> reading;
  private final Map<Value, Interval> known = new HashMap<>();

  /// Of the constants of a graph; its nodes are noted one after the other.
  public Intervals(Graph graph) {
    this(graph, Intervals::ofContent);
  }

  /// @param reading gives what [#ofContent] does
  public Intervals(Graph graph, Function<Tensor, Optional<Interval>> reading) {
    this.constants = graph.constants();
    this.reading = reading;
  }

  /// What the elements of a value can be, if [Interval] knows their type.
  public Optional<Interval> of(Value value) {
    Optional<Interval> whole = Interval.of(value.type().element());
    if (whole.isEmpty()) {
      return whole;
    }
    Tensor constant = constants.get(value);
    return constant == null
        ? Optional.of(known.getOrDefault(value, whole.get()))
        : Optional.of(
            known.computeIfAbsent(value, _ -> reading.apply(constant).orElse(whole.get())));
  }

  /// What an expression over operands can be, if it is such an integer. What would leave its type
  /// may be anything that the type holds, since integers wrap.
  public Optional<Interval> of(Expr expr, List<Value> operands) {
    ElementType type = typeOf(expr, operands);
    return Interval.of(type)
        .map(whole -> computed(expr, operands).filter(whole::contains).orElse(whole));
  }

  private static ElementType typeOf(Expr expr, List<Value> operands) {
    return ExprType.of(expr, operands.stream().map(v -> v.type().element()).toList());
  }

  private Optional<Interval> computed(Expr expr, List<Value> operands) {
    return switch (expr) {
      case Expr.Arg arg -> of(operands.get(arg.index()));
      case Expr.At at -> of(operands.get(at.index()));
      case Expr.Const constant -> Optional.of(Interval.of(constant.bits()));
      case Expr.Cast(ElementType to, Expr inner) -> converted(to, inner, operands);
      case Expr.Binary(var op, Expr left, Expr right) ->
          of(left, operands).flatMap(a -> of(right, operands).flatMap(b -> combined(op, a, b)));
      case Expr.Select select ->
          of(select.then(), operands).flatMap(a -> of(select.otherwise(), operands).map(a::union));
      case Expr.Unary(var op, Expr inner) when op == Expr.UnaryOp.NEG ->
          of(inner, operands).map(Interval.of(0)::minus);
      case Expr.Unary _, Expr.Index _, Expr.Extent _ -> Optional.empty();
    };
  }

  /* An integer that its new type holds stays itself. */
  private Optional<Interval> converted(ElementType to, Expr inner, List<Value> operands) {
    return of(inner, operands)
        .filter(from -> Interval.of(to).map(whole -> whole.contains(from)).orElse(false));
  }

  private static Optional<Interval> combined(Expr.BinaryOp op, Interval a, Interval b) {
    return switch (op) {
      case ADD -> Optional.of(a.plus(b));
      case SUB -> Optional.of(a.minus(b));
      case MUL -> Optional.of(a.times(b));
      case MIN -> Optional.of(a.min(b));
      case MAX -> Optional.of(a.max(b));
      case DIV, REM, MOD, POW, ATAN2 -> Optional.empty();
      case AND, OR, XOR, BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT -> Optional.empty();
      case EQ, NE, LT, LE, GT, GE -> Optional.empty();
    };
  }

  /// Notes what the results of a node can be, after those of the nodes before it.
  public void note(Node node) {
    if (node.epilogue() != null) {
      return;
    }
    switch (node.op()) {
      case Op.Elementwise map ->
          of(map.expr(), node.inputs()).ifPresent(found -> known.put(node.output(), found));
      case Op.Rearrangement _ ->
          union(node.inputs()).ifPresent(found -> known.put(node.output(), found));
      case Op.Reduce _, Op.Indexed _, Op.Regular _, Op.Control _ -> {}
    }
  }

  /// Notes what the elements of a value can be.
  public void note(Value value, Interval interval) {
    known.put(value, interval);
  }

  private Optional<Interval> union(List<Value> values) {
    return values.stream()
        .map(this::of)
        .reduce((a, b) -> a.flatMap(left -> b.map(left::union)))
        .flatMap(found -> found);
  }

  /// From the least element of a tensor of integers to the greatest; empty if it has none.
  public static Optional<Interval> ofContent(Tensor tensor) {
    Interval found = null;
    for (long i = 0; i < tensor.elements(); i++) {
      Interval here = Interval.of(ElementBits.read(tensor, i).bits());
      found = found == null ? here : found.union(here);
    }
    return Optional.ofNullable(found);
  }
}
