package io.miniinference.engine;

import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PreparedModel;

/// For which batches a model is loaded.
final class Batches {
  private Batches() {}

  /// Loads the model for the largest batch that fits: this one, or the largest power of two below.
  ///
  /// @throws LoadRefusedException if not even one row fits
  static Model load(PreparedModel model, int largest) {
    try {
      return model.load(largest);
    } catch (LoadRefusedException e) {
      if (largest == 1) {
        throw e;
      }
      return load(model, Integer.highestOneBit(largest - 1));
    }
  }

  /// The largest batch with which the model takes no more than half of what is free, 1 if there is
  /// none.
  static int leavingHalf(PreparedModel model, PoolStatistics pool) {
    long half = (pool.freeBytes() + pool.heldBytes()) / 2;
    int batch = model.largestBatch();
    while (batch > 1 && model.bytes(batch) > half) {
      batch = Integer.highestOneBit(batch - 1);
    }
    return batch;
  }
}
