package io.miniinference.runtime;

import io.miniinference.ir.Tensor;
import java.util.Map;

/// How a model is loaded.
///
/// @param maxBatch largest batch its arenas are planned for
/// @param instances requests served side by side; 0 lets the engine choose (one for large batches,
///   more for small ones where the device has several workers)
/// @param dimensions values of input symbols other than the batch
/// @param inputShapes shapes of inputs by name, which fixes them at load; empty to keep the batch
///   open
/// @param inputValues contents of inputs by name, used only where a shape depends on them
/// @param maxIterations most iterations of all loops of a request together
public record LoadOptions(
    int maxBatch,
    int instances,
    Map<String, Long> dimensions,
    Map<String, long[]> inputShapes,
    Map<String, Tensor> inputValues,
    int maxIterations) {
  private static final int MOST_ITERATIONS = 1_000_000;

  public LoadOptions {
    if (maxBatch < 1) {
      throw new IllegalArgumentException("the maximum batch is " + maxBatch + ", not 1 or more");
    }
    if (instances < 0) {
      throw new IllegalArgumentException(instances + " instances: 0 for the default, or more");
    }
    if (maxIterations < 1) {
      throw new IllegalArgumentException(
          "loops may take " + maxIterations + " iterations, not 1 or more");
    }
    dimensions = Map.copyOf(dimensions);
    inputShapes = Map.copyOf(inputShapes);
    inputValues = Map.copyOf(inputValues);
  }

  /// The usual bound on loops.
  public LoadOptions(
      int maxBatch,
      int instances,
      Map<String, Long> dimensions,
      Map<String, long[]> inputShapes,
      Map<String, Tensor> inputValues) {
    this(maxBatch, instances, dimensions, inputShapes, inputValues, MOST_ITERATIONS);
  }

  public static LoadOptions defaults() {
    return new LoadOptions(256, 0, Map.of(), Map.of(), Map.of());
  }

  public LoadOptions withMaxBatch(int batch) {
    return new LoadOptions(batch, instances, dimensions, inputShapes, inputValues, maxIterations);
  }

  public LoadOptions withDimensions(Map<String, Long> values) {
    return new LoadOptions(maxBatch, instances, values, inputShapes, inputValues, maxIterations);
  }

  public LoadOptions withMaxIterations(int iterations) {
    return new LoadOptions(maxBatch, instances, dimensions, inputShapes, inputValues, iterations);
  }

  /// One request at a time, of exactly these inputs' shapes (and contents, where shapes depend on
  /// them): what a data set needs.
  public LoadOptions forData(Map<String, Tensor> inputs) {
    Map<String, long[]> shapes = new java.util.HashMap<>();
    inputs.forEach((name, tensor) -> shapes.put(name, tensor.shape()));
    return new LoadOptions(1, 1, dimensions, shapes, inputs, maxIterations);
  }
}
