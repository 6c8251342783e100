package io.miniinference.ops.draft;

import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.type.OpType;
import io.miniinference.ir.type.ShapeException;
import io.miniinference.layout.Affine;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;

/// Tells whether operands that an operator cannot take while the batch is a symbol would fit if it
/// were a number.
///
/// The first axis of an input need not be a batch: a recurrent network takes steps there, and what
/// runs over them needs their number. A fault that no number cures is the model's own, and is told
/// when the model is loaded.
final class FittingBatch {
  /// Most numbers that are tried.
  private static final int MOST_TRIED = 64;

  /// Large enough for every window, and small enough for products of sizes.
  private static final long LARGE = 1 << 20;

  private FittingBatch() {}

  /// The result types.
  ///
  /// @throws LoweringFault if the operands would fit at some size of the batch
  /// @throws ShapeException if they fit at none that was tried
  static List<TensorType> types(Op op, List<TensorType> operands) {
    try {
      return OpType.all(op, operands);
    } catch (ShapeException e) {
      if (isStatic(op, operands)
          || candidates(operands).stream().noneMatch(n -> fits(op, operands).test(n))) {
        throw e;
      }
      throw LoweringFault.specialisable(e.getMessage() + "; fix the batch");
    }
  }

  /* Whether the batch is in no size that the operator takes or makes. */
  private static boolean isStatic(Op op, List<TensorType> operands) {
    boolean makes = op instanceof Op.Elementwise(_, var type) && !type.isStatic();
    return !makes && operands.stream().allMatch(TensorType::isStatic);
  }

  private static LongPredicate fits(Op op, List<TensorType> operands) {
    return n -> {
      try {
        List<TensorType> fixed = operands.stream().map(type -> at(n, type)).toList();
        return !OpType.all(at(n, op), fixed).isEmpty();
      } catch (ShapeException | ArithmeticException e) {
        return false;
      }
    };
  }

  private static Op at(long n, Op op) {
    return op instanceof Op.Elementwise(var expr, var type)
        ? new Op.Elementwise(expr, at(n, type))
        : op;
  }

  private static TensorType at(long n, TensorType type) {
    return TensorType.of(type.element(), type.shapeAt(n));
  }

  /* One, many, and what makes a size that depends on the batch equal to one that does not. */
  private static Set<Long> candidates(List<TensorType> operands) {
    List<Affine> sizes =
        operands.stream().flatMap(type -> type.shape().stream()).distinct().toList();
    Set<Long> candidates = new LinkedHashSet<>(List.of(1L, LARGE));
    for (Affine open : sizes) {
      for (Affine size : sizes) {
        boolean isEqual =
            !open.isConstant() && size.isConstant() && size.isMultipleOf(open.perBatch());
        if (isEqual && candidates.size() < MOST_TRIED) {
          candidates.add(size.constant() / open.perBatch());
        }
      }
    }
    return candidates;
  }
}
