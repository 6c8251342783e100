package io.miniinference.service.shapes;

import io.miniinference.onnx.Quote;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What a model's configuration says of its tensors.
///
/// @param batched whether `max_batch_size` is given and not 0: then dims leave out the batch, which
///   is axis 0
public record TensorBlocks(boolean batched, List<TensorBlock> inputs, List<TensorBlock> outputs) {
  public TensorBlocks {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    requireOnce("input", inputs);
    requireOnce("output", outputs);
  }

  private static void requireOnce(String role, List<TensorBlock> blocks) {
    Set<String> names = new HashSet<>();
    for (TensorBlock block : blocks) {
      if (!names.add(block.name())) {
        throw new IllegalArgumentException(
            "there are two blocks of %s %s".formatted(role, Quote.of(block.name())));
      }
    }
  }

  /// Nothing is said.
  public static TensorBlocks none() {
    return new TensorBlocks(false, List.of(), List.of());
  }

  /// Whether nothing is said of tensors, their batch included.
  public boolean saysNothing() {
    return !batched && inputs.isEmpty() && outputs.isEmpty();
  }
}
