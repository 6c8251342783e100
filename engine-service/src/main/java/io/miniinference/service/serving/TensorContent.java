package io.miniinference.service.serving;

import java.lang.foreign.MemorySegment;

/// What fills an input: dense row-major elements, little-endian.
@FunctionalInterface
public interface TensorContent {

  /// Writes all elements.
  ///
  /// @param staging memory of exactly their bytes
  void writeTo(MemorySegment staging);

  /// Elements that are in memory.
  static TensorContent of(MemorySegment data) {
    return staging -> staging.copyFrom(data);
  }
}
