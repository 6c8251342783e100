package io.miniinference.runtime;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Takes the outputs of a request while they are in staging.
///
/// It must not close the model or its engine, for which closing would wait: it gets an
/// [OwnRequestException]. Nor should it ask the same model, which may wait for what this request
/// has: where that shows it gets such an exception too, but threads that hold an instance each and
/// wait for that of another wait for ever. The same goes for what it waits for in other threads,
/// and for the request's writer.
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
