package io.miniinference.runtime;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Takes the outputs of a request while they are in staging.
@FunctionalInterface
public interface ResponseReader<T> {

  /// @param outputs one per output of the model, dense row-major; valid only during this call
  T read(List<Output> outputs);

  /// An output's shape and content.
  record Output(long[] shape, MemorySegment data) {}
}
