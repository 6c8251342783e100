package io.miniinference.service.catalog;

import io.miniinference.device.DriverCalls;
import io.miniinference.engine.BatchSharing;
import io.miniinference.runtime.PreparedModel;

/// What a load cost, and what a larger batch would.
///
/// @param seconds from its file to its first answer
/// @param kernels that the device holds for it
/// @param compiled of those; the others came from the cache
/// @param nextBatch the next larger batch that its settings allow, 0 if there is none
/// @param nextBytes of the pool that it would take with that batch
public record LoadFigures(
    double seconds, long kernels, long compiled, int nextBatch, long nextBytes) {

  /// What the next larger batch would take, of a model that is not loaded yet: afterwards its own
  /// weights are in the pool, and count as shared.
  static LoadFigures before(PreparedModel model, int batch) {
    int next = BatchSharing.next(model, batch);
    return next > batch
        ? new LoadFigures(0, 0, 0, next, model.bytes(next))
        : new LoadFigures(0, 0, 0, 0, 0);
  }

  LoadFigures loaded(double seconds, DriverCalls before, DriverCalls after) {
    return new LoadFigures(
        seconds,
        after.variants() - before.variants(),
        after.compiled() - before.compiled(),
        nextBatch,
        nextBytes);
  }
}
