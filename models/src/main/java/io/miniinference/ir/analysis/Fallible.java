package io.miniinference.ir.analysis;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.ExprType;
import io.miniinference.ir.type.OpType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Which nodes of a graph may find out at run time that their data does not allow them: an index
/// out of bounds, an integer divided by zero. The order of such nodes is observable, since the
/// first failure wins. A node with bodies may fail if a node in them may.
public final class Fallible {
  private final Map<Value, Tensor> constants;
  private final Map<Value, Boolean> nonZero = new HashMap<>();
  private final Map<Tuples, List<IndexRange>> ranges = new HashMap<>();

  private Fallible(Map<Value, Tensor> constants) {
    this.constants = constants;
  }

  public static Fallible in(Graph graph) {
    return new Fallible(graph.constants());
  }

  public boolean mayFail(Node node) {
    Expr epilogue = node.epilogue();
    return operatorMayFail(node) || (epilogue != null && divides(epilogue, epilogueInputs(node)));
  }

  private boolean operatorMayFail(Node node) {
    return switch (node.op()) {
      case Op.Gather gather ->
          !gather.bounds().trusted() && !alwaysFits(node, gather.selection(), gather.bounds());
      case Op.Scatter scatter -> !alwaysFits(node, scatter.selection(), IndexBounds.EITHER_END);
      case Op.Control control -> control.bodies().stream().anyMatch(Fallible::mayFail);
      case Op.Elementwise elementwise -> divides(elementwise.expr(), node.inputs());
      case Op.Reduce reduce -> divides(reduce.map(), node.operandValues());
      case Op.Rearrangement _, Op.Regular _ -> false;
    };
  }

  /* Whether the indices are constants within bounds. */
  private boolean alwaysFits(Node node, Selection selection, IndexBounds bounds) {
    Value indices = node.inputs().get(1);
    Tensor tensor = constants.get(indices);
    if (tensor == null) {
      return false;
    }
    TensorType data = node.inputs().getFirst().type();
    Addressing addressing = Addressing.of(selection, data, indices.type());
    var tuples = new Tuples(indices, addressing.tupleLength());
    List<IndexRange> found = ranges.computeIfAbsent(tuples, t -> IndexRange.of(tensor, t.length()));
    return IntStream.range(0, found.size())
        .allMatch(c -> found.get(c).fits(data.dim(addressing.dataAxis(c)), bounds));
  }

  /// Constant indices, read as tuples of `length` components.
  private record Tuples(Value indices, int length) {}

  private static boolean mayFail(Graph body) {
    Fallible inside = in(body);
    return body.nodes().stream().anyMatch(inside::mayFail);
  }

  private boolean divides(Expr expr, List<Value> operands) {
    return divisionByZero(expr, operands).isPresent();
  }

  /// Whether the evaluation of an expression at an index divides an integer by zero, as an
  /// expression of type `BOOL` over the same operands; empty if none ever does.
  public Optional<Expr> divisionByZero(Expr expr, List<Value> operands) {
    List<ElementType> types = operands.stream().map(v -> v.type().element()).toList();
    return byZero(expr, types, k -> isNonZero(operands.get(k)));
  }

  /// As [#mayFail(Node)] of an expression over operands of which nothing is known.
  public static boolean mayFail(Expr expr, List<ElementType> operands) {
    return byZero(expr, operands, _ -> false).isPresent();
  }

  private static Optional<Expr> byZero(
      Expr expr, List<ElementType> operands, IntPredicate isNonZero) {
    if (expr instanceof Expr.Select(Expr condition, Expr then, Expr otherwise)) {
      Optional<Expr> left = byZero(then, operands, isNonZero);
      Optional<Expr> right = byZero(otherwise, operands, isNonZero);
      Expr never = Expr.Const.of(ElementType.BOOL, 0L);
      Optional<Expr> chosen =
          left.isEmpty() && right.isEmpty()
              ? Optional.empty()
              : Optional.of(new Expr.Select(condition, left.orElse(never), right.orElse(never)));
      return either(byZero(condition, operands, isNonZero), chosen);
    }
    Optional<Expr> found =
        ExprTree.children(expr).stream()
            .map(child -> byZero(child, operands, isNonZero))
            .reduce(Optional.empty(), Fallible::either);
    if (expr instanceof Expr.Binary(BinaryOp op, Expr _, Expr divisor)
        && (op == BinaryOp.DIV || op == BinaryOp.REM || op == BinaryOp.MOD)
        && !isNonZero(divisor, isNonZero)) {
      ElementType type = ExprType.of(divisor, operands);
      Expr zero = Expr.Const.of(type, 0L);
      return type.isInteger()
          ? either(found, Optional.of(new Expr.Binary(BinaryOp.EQ, divisor, zero)))
          : found;
    }
    return found;
  }

  private static Optional<Expr> either(Optional<Expr> a, Optional<Expr> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.or(() -> b);
    }
    return Optional.of(new Expr.Binary(BinaryOp.OR, a.get(), b.get()));
  }

  private static boolean isNonZero(Expr divisor, IntPredicate isNonZero) {
    return switch (divisor) {
      case Expr.Const constant -> constant.bits() != 0;
      case Expr.Extent extent ->
          extent.value().isConstant()
              ? extent.value().constant() != 0
              : extent.value().constant() >= 0 && extent.value().perBatch() > 0;
      case Expr.Arg arg -> isNonZero.test(arg.index());
      case Expr.At at -> isNonZero.test(at.index());
      case Expr.Index _, Expr.Unary _, Expr.Binary _, Expr.Select _, Expr.Cast _ -> false;
    };
  }

  /* Whether a value is a constant without a zero. */
  private boolean isNonZero(Value value) {
    Tensor tensor = constants.get(value);
    return tensor != null && nonZero.computeIfAbsent(value, _ -> !ElementBits.hasZero(tensor));
  }

  /* What the epilogue reads, the operator's result first. */
  private static List<Value> epilogueInputs(Node node) {
    TensorType own = OpType.of(node.op(), node.operandValues().stream().map(Value::type).toList());
    List<Value> result = new ArrayList<>();
    result.add(new Value(node.output().name() + " (result)", own));
    result.addAll(node.epilogueValues());
    return result;
  }
}
