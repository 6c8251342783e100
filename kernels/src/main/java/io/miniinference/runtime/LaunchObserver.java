package io.miniinference.runtime;

/// Hears of each launch of a request, once for each micro-batch of it. Each is waited for then, so
/// the request takes longer.
@FunctionalInterface
public interface LaunchObserver {

  /// One launch, from before it was queued until the device was done, in the time of
  /// [System#nanoTime].
  ///
  /// @param launch its place among the program's launches
  /// @param kernel its name in the program's text
  void launched(int launch, String kernel, long fromNanos, long toNanos);
}
