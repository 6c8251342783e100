package io.miniinference.runtime;

import java.util.Optional;

/// The figures of a model that is compiled per shape.
///
/// @param kept specialisations that are compiled now
/// @param most of them that are kept
/// @param compiled since the model was loaded
/// @param compileNanos all compiling together, failed attempts included
/// @param evicted to make room for others
/// @param bytes of the pool that the weights of those kept take, each counted once
/// @param kernels that are built for all of them together; 0 where a device builds none
/// @param mostKernels that may be built so; 0 where a device builds none
/// @param promise what the pool has room for whatever other models take; empty if nothing was
///   promised
public record SpecialisationStatistics(
    int kept,
    int most,
    long compiled,
    long compileNanos,
    long evicted,
    long bytes,
    int kernels,
    int mostKernels,
    Optional<Promise> promise) {

  /// Room of the pool that a load took for requests up to a shape.
  ///
  /// @param largest that shape
  /// @param bytes besides the weights that all shapes share
  public record Promise(RequestShape largest, long bytes) {}
}
