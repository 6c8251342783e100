package io.miniinference.runtime;

import java.util.Collection;
import java.util.Map;

/// A model that is planned and not loaded yet. It knows what a load would take, so that models can
/// share a pool before the first of them is loaded. It holds nothing of the pool, and of the device
/// only what [#build] made.
public interface PreparedModel {

  String name();

  /// Largest batch that its options allow; 1 for a model without a batch axis.
  int largestBatch();

  /// Whether its requests take memory of their own, by their sizes, and a load takes none.
  boolean isSizedByRequests();

  /// The largest sizes by symbol for which a load takes room, where a model has open sizes and
  /// options bound them all ([LoadOptions#bounds]); else empty.
  default Map<String, Long> promisedSizes() {
    return Map.of();
  }

  /// Bytes of the pool that a load for batches up to that size takes now. Weights that other models
  /// have in the pool are taken from there.
  ///
  /// @param maxBatch from 1 to [#largestBatch]
  long bytes(int maxBatch);

  /// Bytes of weights that are not in the pool and will be once those others are loaded, so that a
  /// load after theirs takes so much less.
  default long bytesBroughtBy(Collection<PreparedModel> others) {
    return 0;
  }

  /// The memory plan at exactly a batch, of a load for batches up to another.
  ///
  /// @throws InvalidRequestException if requests decide over its sizes
  PlanReport plan(int maxBatch, int batch);

  /// Builds its kernels ahead of its load, which then takes them, where the device builds any. What
  /// no load takes is given back by [#close], or with the engine. Safe for many threads.
  ///
  /// @throws io.miniinference.device.DeviceException if they cannot be built
  default void build() {}

  /// Gives back what was built and no load took; a later load builds for itself. Idempotent.
  default void close() {}

  /// Loads it for batches up to that size.
  ///
  /// @throws LoadRefusedException if it does not fit the pool, with the figures
  /// @throws io.miniinference.device.DeviceException if its program cannot be built
  Model load(int maxBatch);
}
