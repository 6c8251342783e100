package io.miniinference.device;

import java.lang.foreign.MemorySegment;

/// A kernel in Java. It must be pure but for the pool's memory: several threads run it side by side
/// over disjoint shares of its work items.
@FunctionalInterface
public interface JvmKernel {

  /// Runs work items `first` to `first + count − 1`.
  ///
  /// @param pool the whole pool buffer
  /// @param n batch size, at least 0
  /// @param offsets byte offsets as in [Launch#offsets]
  void run(MemorySegment pool, int n, long first, long count, long[] offsets);
}
