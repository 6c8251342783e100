package io.miniinference.service.tensors;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;
import java.util.Random;

/// Random elements: floats from 0 to 1, whole numbers 0 and 1, which are indices of nearly any
/// table, both truths. A dimension that is open is of size 1.
public final class RandomContent {
  private static final int WHOLE_NUMBERS = 2;

  private RandomContent() {}

  /// The content of an input.
  ///
  /// @param random whose seed decides over it
  public static Tensor of(TensorSpec input, int batch, Random random) {
    Tensor tensor = Interpreter.allocate(input.element(), input.shapeAt(batch));
    TensorView elements = TensorView.of(tensor);
    for (long i = 0; i < elements.elements(); i++) {
      if (input.element().isFloat()) {
        elements.realAt(i, random.nextFloat());
      } else {
        elements.wholeAt(i, random.nextInt(WHOLE_NUMBERS));
      }
    }
    return tensor;
  }
}
