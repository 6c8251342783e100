package io.miniinference.interp.expr;

import io.miniinference.interp.memory.TensorView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the loops of a [MixedProgram] work on: its registers, and the operands that they read at
/// computed coordinates.
@SuppressWarnings("ArrayRecordComponent")
record Frame(float[][] floats, long[][] wholes, List<TensorView> views) {

  /// The register of a mask, if there is one.
  long @Nullable [] mask(int number) {
    return number == MixedProgram.ABSENT ? null : wholes[number];
  }

  /// One step over the registers, which says whether all elements have a value.
  @FunctionalInterface
  interface Loop {
    boolean run(Frame frame, int count);
  }
}
