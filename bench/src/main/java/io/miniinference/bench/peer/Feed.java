package io.miniinference.bench.peer;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;
import java.util.List;
import java.util.Random;

/// One batch of a model's inputs, the same for all who run it.
///
/// @param batch rows
/// @param inputs in the model's order, with heap memory
public record Feed(int batch, List<Input> inputs) {
  /// Name of an input of indices of which half count from the end.
  public static final String BOTH_ENDS = "both_ends";

  private static final long SEED = 28;
  private static final int LETTERS = 26;

  public Feed {
    inputs = List.copyOf(inputs);
  }

  /// A named input.
  public record Input(String name, Tensor tensor) {}

  /// Numbers from 0 to 1 for floats, 1 to 26 for whole numbers, both truths; always the same.
  public static Feed of(List<TensorSpec> inputs, int batch) {
    var random = new Random(SEED);
    return new Feed(
        batch,
        inputs.stream().map(input -> new Input(input.name(), of(input, batch, random))).toList());
  }

  private static Tensor of(TensorSpec input, int batch, Random random) {
    Tensor tensor = Interpreter.allocate(input.element(), input.shapeAt(batch));
    TensorView elements = TensorView.of(tensor);
    for (long i = 0; i < elements.elements(); i++) {
      if (input.element().isFloat()) {
        elements.realAt(i, random.nextFloat());
      } else {
        elements.wholeAt(i, whole(input, random));
      }
    }
    return tensor;
  }

  private static int whole(TensorSpec input, Random random) {
    if (input.element() == ElementType.BOOL) {
      return random.nextInt(2);
    }
    int letter = 1 + random.nextInt(LETTERS);
    return input.name().equals(BOTH_ENDS) && random.nextBoolean() ? -letter : letter;
  }
}
