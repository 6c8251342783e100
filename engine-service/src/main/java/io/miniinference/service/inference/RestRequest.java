package io.miniinference.service.inference;

import io.miniinference.service.serving.InferRequest;
import java.util.List;

/// A request over REST: what is asked, and how the answer is to be written.
///
/// @param binary one per output asked for: whether its data are to follow the JSON
record RestRequest(InferRequest request, List<Boolean> binary) {
  RestRequest {
    binary = List.copyOf(binary);
  }
}
