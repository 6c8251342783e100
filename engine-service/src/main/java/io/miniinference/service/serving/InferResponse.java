package io.miniinference.service.serving;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a request asked for, taken out of the device's staging memory.
///
/// @param outputs in the order asked for
public record InferResponse(
    String model, String version, @Nullable String id, List<OutputTensor> outputs) {
  public InferResponse {
    outputs = List.copyOf(outputs);
  }
}
