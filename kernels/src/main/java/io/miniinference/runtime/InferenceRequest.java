package io.miniinference.runtime;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// A request: the shape of each input in the model's order, and who writes their content.
///
/// @param shapes one per input
/// @param writer called once per input with staging memory of exactly its size in bytes, dense
///   row-major, native (little-endian) order
public record InferenceRequest(List<long[]> shapes, Writer writer) {
  public InferenceRequest {
    shapes = List.copyOf(shapes);
  }

  /// Writes an input's content into staging.
  @FunctionalInterface
  public interface Writer {
    void write(int input, MemorySegment staging);
  }
}
