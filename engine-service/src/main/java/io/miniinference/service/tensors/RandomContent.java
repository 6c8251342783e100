package io.miniinference.service.tensors;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.Dictionary;
import java.util.Arrays;
import java.util.Random;
import java.util.function.LongSupplier;

/// Random elements: floats from 0 to 1, whole numbers 0 and 1, which are indices of nearly any
/// table, both truths, strings that the model knows. A dimension that is open is of size 1.
public final class RandomContent {
  private static final int WHOLE_NUMBERS = 2;

  private RandomContent() {}

  /// The content of an input.
  ///
  /// @param dictionary of the model
  /// @param random whose seed decides over it
  public static Tensor of(TensorSpec input, int batch, Dictionary dictionary, Random random) {
    if (input.isOfStrings()) {
      return strings(input.shapeAt(batch), dictionary, random);
    }
    LongSupplier wholes = () -> random.nextInt(WHOLE_NUMBERS);
    return Interpreter.filled(input.element(), random::nextFloat, wholes, input.shapeAt(batch));
  }

  private static Tensor strings(long[] shape, Dictionary dictionary, Random random) {
    byte[][] strings = new byte[Math.toIntExact(Tensor.elements(shape))][];
    Arrays.setAll(strings, _ -> dictionary.bytes(random.nextInt(dictionary.size())));
    return Tensor.of(strings, shape);
  }
}
