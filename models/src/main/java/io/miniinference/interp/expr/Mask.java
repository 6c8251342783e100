package io.miniinference.interp.expr;

import io.miniinference.interp.expr.MixedProgram.Register;
import org.jspecify.annotations.Nullable;

/// The elements that come to one side of a choice, among those of a mask around it.
///
/// @param holds whether it is those for which the condition holds
record Mask(@Nullable Mask around, Register condition, boolean holds) {

  /// The level of the choices that it follows from.
  static int level(@Nullable Mask mask, int rank) {
    return mask == null
        ? MixedProgram.CONSTANT
        : MixedProgram.join(mask.condition.level(), level(mask.around, rank), rank);
  }
}
