package io.miniinference.service.shapes;

import java.util.List;

/// What a model's configuration says of its tensors.
///
/// @param batched whether `max_batch_size` is given and not 0: then dims leave out the batch, which
///   is axis 0
public record TensorBlocks(boolean batched, List<TensorBlock> inputs, List<TensorBlock> outputs) {
  public TensorBlocks {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /// Nothing is said.
  public static TensorBlocks none() {
    return new TensorBlocks(false, List.of(), List.of());
  }

  public boolean isEmpty() {
    return inputs.isEmpty() && outputs.isEmpty();
  }
}
