package io.miniinference.service.catalog;

import io.miniinference.engine.BatchSharing;
import io.miniinference.runtime.PreparedModel;

/// What a load cost, and what a larger batch would.
///
/// @param seconds from its file to its first answer
/// @param kernels that the device holds for it
/// @param nextBatch the next larger batch that its settings allow, 0 if there is none
/// @param nextBytes of the pool that it would take with that batch
public record LoadFigures(double seconds, long kernels, int nextBatch, long nextBytes) {

  static LoadFigures of(PreparedModel model, int batch, double seconds, long kernels) {
    int next = BatchSharing.next(model, batch);
    return next > batch
        ? new LoadFigures(seconds, kernels, next, model.bytes(next))
        : new LoadFigures(seconds, kernels, 0, 0);
  }
}
