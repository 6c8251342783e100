package io.miniinference.service.serving;

import io.miniinference.service.scheduling.Terms;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An inference request that fits its model.
///
/// @param id the client's own mark, echoed in the response
/// @param inputs one per input of the model, in the model's order
/// @param outputs what is wanted, in the order asked for
/// @param terms how it wants to be scheduled
public record InferRequest(
    @Nullable String id, List<InputTensor> inputs, List<WantedOutput> outputs, Terms terms) {
  public InferRequest {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }
}
