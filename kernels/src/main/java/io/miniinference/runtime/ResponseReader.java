package io.miniinference.runtime;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Takes the outputs of a request while they are in staging.
@FunctionalInterface
public interface ResponseReader<T> {

  /// @param outputs one per output of the model, dense row-major; valid only during this call
  T read(List<Output> outputs);

  /// Sees the outputs of a request that failed, before its [RequestFailedException] is thrown: the
  /// rows that did not fail are whole, the others hold anything.
  ///
  /// @param outputs as for [#read]
  default void failed(List<Output> outputs, List<FailureReport> failures) {}

  /// An output's shape and content.
  record Output(long[] shape, MemorySegment data) {}
}
