package io.miniinference.service.inference;

import io.miniinference.ir.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The outputs of a request, taken out of the device's staging memory.
record InferResponse(
    String model, String version, @Nullable String id, List<OutputTensor> outputs) {
  InferResponse {
    outputs = List.copyOf(outputs);
  }

  /// One output.
  ///
  /// @param data dense row-major elements, little-endian
  record OutputTensor(String name, ElementType type, long[] shape, MemorySegment data) {}
}
