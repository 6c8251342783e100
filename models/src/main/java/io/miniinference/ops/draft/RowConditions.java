package io.miniinference.ops.draft;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Conditions that ask whether there is a row at all, such as `boxes.numel() == 0`.
public final class RowConditions {
  private final Draft draft;

  public RowConditions(Draft draft) {
    this.draft = draft;
  }

  /// Whether a condition is true where there is no row, and false where there is one or more, or
  /// the other way round; empty if it is neither.
  ///
  /// A comparison of a size, which grows with the number of rows, and a number that is one thing
  /// for none and another for one and for the most is that for all numbers between.
  public Optional<Boolean> trueForNone(Value condition) {
    Optional<Affine> none = at(condition, 0);
    Optional<Affine> one = at(condition, 1);
    Optional<Affine> most = at(condition, 2);
    boolean tells = none.isPresent() && one.equals(most) && one.isPresent() && !none.equals(one);
    return tells ? none.map(it -> !it.isZero()) : Optional.empty();
  }

  private Optional<Affine> at(Value condition, int probe) {
    return elements(condition, probe, false)
        .filter(it -> it.values().size() == 1)
        .map(it -> it.values().getFirst());
  }

  private Optional<SymbolicTensor> elements(Value value, int probe, boolean compared) {
    Facts facts = draft.facts();
    Optional<SymbolicTensor> known =
        facts.planned(value).map(it -> it.probes().get(probe)).or(() -> facts.known(value));
    if (known.isPresent()) {
      return known;
    }
    Optional<Node> maker = draft.maker(value);
    if (maker.isEmpty() || !isFollowed(maker.get(), compared)) {
      return Optional.empty();
    }
    Node node = maker.get();
    boolean compares = compared || isComparison(node);
    List<SymbolicTensor> operands = new ArrayList<>();
    for (Value input : node.inputs()) {
      Optional<SymbolicTensor> operand = elements(input, probe, compares);
      if (operand.isEmpty()) {
        return operand;
      }
      operands.add(operand.get());
    }
    List<TensorType> types = node.inputs().stream().map(Value::type).toList();
    return new SizeInterpreter(types, operands, node.output().type()).run(node.op());
  }

  /* One comparison, and what is done with its result. */
  private static boolean isFollowed(Node node, boolean compared) {
    return !compared
        && node.outputs().size() == 1
        && (node.op() instanceof Op.View || isComparison(node) || isOfResult(node));
  }

  private static boolean isComparison(Node node) {
    return SizeComparison.of(node).isPresent();
  }

  private static boolean isOfResult(Node node) {
    return node.op() instanceof Op.Elementwise map
        && switch (map.expr()) {
          case Expr.Cast(_, Expr.Arg _) -> true;
          case Expr.Unary(Expr.UnaryOp op, Expr.Arg _) -> op == Expr.UnaryOp.NOT;
          default -> false;
        };
  }
}
