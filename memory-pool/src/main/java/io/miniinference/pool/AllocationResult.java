package io.miniinference.pool;

/// The answer to a request: an [Allocation], or a [Refusal] that says why there is none.
///
/// This is the RFC's "returns nullptr" with its reason attached; being out of memory is an answer
/// here, not an exception, until somebody calls [#orThrow].
public sealed interface AllocationResult permits Allocation, Refusal {

  /// The allocation.
  ///
  /// @throws PoolExhaustedException if the request was refused; its message has the figures
  default Allocation orThrow() {
    return switch (this) {
      case Allocation allocation -> allocation;
      case Refusal refusal -> throw new PoolExhaustedException(refusal);
    };
  }
}
