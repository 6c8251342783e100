package io.miniinference.device;

import java.lang.foreign.MemorySegment;

/// The prepared launches of one instance of a model. Not for two threads at once: an instance
/// serves one request at a time.
///
/// A request calls [#bind], fills [#input]s, calls [#run] and reads [#output]s. None of them
/// allocates on the device, builds, or holds a lock while the device works; [#run] waits exactly
/// once, and once more for each [Launcher#read] of its script.
public interface ExecutionContext extends AutoCloseable {

  /// Chooses batch size and bucket. Cheap if nothing changed since the last call.
  void bind(Binding binding, int n);

  /// Host memory for input `index` of the bound batch: the arena itself where host memory is
  /// shared, pinned staging elsewhere.
  MemorySegment input(int index);

  /// Host memory of output `index` after [#run], valid until the next [#bind].
  MemorySegment output(int index);

  /// Zeroes bytes of the pool before the launches of the next run. It waits for nothing. A second
  /// call before that run takes the place of the first.
  void zero(long poolOffsetBytes, long sizeBytes);

  /// Sends inputs, launches all, fetches outputs, waits once.
  ///
  /// @param parallel whether all workers of the device share each launch (one large batch), or one
  ///   worker runs everything while others serve other instances
  /// @throws DeviceException if the device failed; the request is lost, the device may be
  default void run(boolean parallel) {
    run(parallel, LaunchSequence.ALL);
  }

  /// As [#run(boolean)], with what the script launches. What it throws ends the run, after the
  /// device has come to the end of what was launched.
  void run(boolean parallel, LaunchSequence script);

  @Override
  void close();
}
