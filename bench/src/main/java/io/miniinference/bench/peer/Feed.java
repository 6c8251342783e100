package io.miniinference.bench.peer;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;
import io.miniinference.testing.GatherModels;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// One batch of a model's inputs, the same for all who run it.
///
/// @param inputs in the model's order, with heap memory
public record Feed(List<Input> inputs) {
  private static final long SEED = 28;
  private static final int LETTERS = 26;

  public Feed {
    inputs = List.copyOf(inputs);
  }

  /// A named input.
  public record Input(String name, Tensor tensor) {}

  /// Numbers from 0 to 1 for floats, 1 to 26 for whole numbers, 0 and 1 for truths, masks and types
  /// of words; always the same.
  public static Feed of(List<TensorSpec> inputs, int batch) {
    return of(inputs, inputs.stream().map(input -> input.shapeAt(batch)).toList());
  }

  /// As above, in shapes of a request.
  ///
  /// @param shapes one per input
  public static Feed of(List<TensorSpec> inputs, List<long[]> shapes) {
    var random = new Random(SEED);
    List<Input> filled = new ArrayList<>();
    for (TensorSpec input : inputs) {
      Tensor tensor = Interpreter.allocate(input.element(), shapes.get(filled.size()));
      TensorView elements = TensorView.of(tensor);
      for (long i = 0; i < elements.elements(); i++) {
        if (input.element().isFloat()) {
          elements.realAt(i, random.nextFloat());
        } else {
          elements.wholeAt(i, whole(input, random));
        }
      }
      filled.add(new Input(input.name(), tensor));
    }
    return new Feed(filled);
  }

  private static int whole(TensorSpec input, Random random) {
    String name = input.name();
    /* As networks of words call them. */
    boolean isTruth = name.endsWith("mask") || name.startsWith("token_type");
    if (isTruth || input.element() == ElementType.BOOL) {
      return random.nextInt(2);
    }
    int letter = 1 + random.nextInt(LETTERS);
    return name.equals(GatherModels.BOTH_ENDS) && random.nextBoolean() ? -letter : letter;
  }
}
