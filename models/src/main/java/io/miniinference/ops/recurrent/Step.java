package io.miniinference.ops.recurrent;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Emitter;

/// The body of a direction's loop, as a cell writes it.
///
/// @param emitter writes into the body
record Step(Emitter emitter, Layer layer, Direction direction, Sequence sequence) {
  ElementType type() {
    return layer.type();
  }

  Formula formula() {
    return new Formula(emitter, layer, sequence);
  }

  /// `x` times the recurrent weights of the gates from `first` on, before `end`.
  Value product(Value x, int first, int end) {
    return emitter.matMul(x, direction.stateWeights(first, end), false, true);
  }

  /// An activation function of a bounded sum.
  Expr activation(int number, Expr sum) {
    return function(number, direction.functions().clipped(sum));
  }

  /// An activation function.
  Expr function(int number, Expr x) {
    return direction.functions().apply(number, x);
  }
}
