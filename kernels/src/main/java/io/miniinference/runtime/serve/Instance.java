package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.device.ExecutionContext;
import java.util.List;

/// One arena of a model with its prepared launches: serves one request at a time.
///
/// @param maxBatch largest batch that fits the arena
/// @param parallel whether all workers of the device share its launches
/// @param buckets by batch, the last one holding `maxBatch`
/// @param arena byte offset of the arena in the pool, where the failure slots are
public record Instance(
    long maxBatch,
    boolean parallel,
    ExecutionContext commands,
    List<ArenaSpec.Bucket> buckets,
    long arena) {

  /// The binding that runs a batch of `n`.
  Binding binding(long n) {
    for (ArenaSpec.Bucket bucket : buckets) {
      if (n <= bucket.batch()) {
        return bucket.binding();
      }
    }
    throw new IllegalArgumentException("batch " + n + " is above " + maxBatch);
  }
}
