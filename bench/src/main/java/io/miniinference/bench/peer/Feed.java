package io.miniinference.bench.peer;

import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
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

  public Feed {
    inputs = List.copyOf(inputs);
  }

  /// A named input.
  public record Input(String name, Tensor tensor) {}

  /// Drawn digits for images of 28 × 28, letters for whole numbers, evenly spread numbers from 0 to
  /// 1 for other floats; always the same.
  public static Feed of(List<Value> inputs, int batch) {
    var random = new Random(SEED);
    return new Feed(
        batch,
        inputs.stream()
            .map(input -> new Input(input.name(), contents(input, batch, random)))
            .toList());
  }

  private static Tensor contents(Value input, int batch, Random random) {
    Tensor contents = Contents.of(input.type(), batch, random);
    if (input.name().equals(BOTH_ENDS)) {
      Contents.negateHalf(contents, random);
    }
    return contents;
  }
}
