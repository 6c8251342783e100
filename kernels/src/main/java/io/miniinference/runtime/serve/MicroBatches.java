package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.LaunchSequence;
import java.util.List;

/// A batch that goes a few rows at a time in an instance's arena, one run after the other, so that
/// other requests have their turns between them.
///
/// @param rows of each but the last, which may have fewer
/// @param batch where the host fills and reads all rows
/// @param each of the largest batch, in order
public record MicroBatches(int rows, Binding batch, List<Binding> each) {
  public MicroBatches {
    each = List.copyOf(each);
  }

  /// In an arena that starts at `arena`.
  public static MicroBatches of(MicroBatchSpec spec, long arena) {
    return new MicroBatches(spec.rows(), spec.batch(arena), spec.microBatches(arena));
  }

  /// Runs a batch of `n`. The commands are bound to the whole batch before and after it.
  ///
  /// @param ready what each run needs first
  void run(
      ExecutionContext commands, int n, boolean parallel, LaunchSequence script, Runnable ready) {
    for (int first = 0; first < n; first += rows) {
      commands.bind(each.get(first / rows), Math.min(rows, n - first));
      ready.run();
      commands.run(parallel, script);
    }
    commands.bind(batch, n);
  }
}
