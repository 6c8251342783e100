package io.miniinference.runtime;

import java.util.Map;

/// How a model is loaded.
///
/// @param maxBatch largest batch its arenas are planned for
/// @param instances requests served side by side; 0 lets the engine choose (one for large batches,
///   more for small ones where the device has several workers)
/// @param dimensions values of input symbols other than the batch
public record LoadOptions(int maxBatch, int instances, Map<String, Long> dimensions) {
  public LoadOptions {
    dimensions = Map.copyOf(dimensions);
  }

  public static LoadOptions defaults() {
    return new LoadOptions(256, 0, Map.of());
  }
}
