package io.miniinference.service.inference;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An inference request that fits its model.
///
/// @param id the client's own mark, echoed in the response
/// @param inputs one per input of the model, in the model's order
/// @param outputs positions of the wanted outputs, in the order asked for
record InferRequest(@Nullable String id, List<InputTensor> inputs, List<Integer> outputs) {
  InferRequest {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }
}
