package io.miniinference.device.team;

/// What a [TaskGroup] runs: shares of numbered launches.
@FunctionalInterface
interface Shares {

  /// Runs items `first` to `first + count − 1` of a launch on a worker, and waits for them.
  void run(int worker, int launch, long first, long count);
}
