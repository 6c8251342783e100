package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.ir.ElementType;
import io.miniinference.testing.GatherModels;

/// One batch of a model's inputs, the same for all who run it.
///
/// @param inputs in the model's order, with heap memory
public record Feed(List<Input> inputs) {
  private static final long SEED = 28;
  private static final int LETTERS = 26;

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
      long[] shape = shapes.get(filled.size());
      LongSupplier wholes = () -> whole(input, random);
      Tensor tensor = Interpreter.filled(input.element(), random::nextFloat, wholes, shape);
      filled.add(new Input(input.name(), tensor));
    }
    return new Feed(List.copyOf(filled));
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
